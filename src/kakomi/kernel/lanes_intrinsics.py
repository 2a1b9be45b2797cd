"""The compiled bodies of `kakomi.kernel.lanes`, as LLVM vectors, which map to SIMD instructions."""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

from kakomi.kernel.lanes import LANES, larger, load, splat, spread, store, total

_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_FAST = ("fast",)
"""Allow fused multiply-add and sums in any order."""
_BYTES = 4
"""The size of a number, to which arrays are aligned."""


class LanesType(types.Type):
    """Numba's type for `LANES` numbers."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes{LANES}")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


_LANES = LanesType()


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [index])


def _in_all(builder: Any, number: Any) -> Any:
    nothing, first = ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.IntType(32), 0)
    one = builder.insert_element(nothing, number, first)
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, nothing, places)


@intrinsic
def _load(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()), align=_BYTES)

    return _LANES(array, types.intp), generate


@intrinsic
def _store(typing_context: Any, array: Any, index: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], builder.bitcast(pointer, _VECTOR.as_pointer()), align=_BYTES)
        return context.get_dummy_value()

    return types.void(array, types.intp, _LANES), generate


@intrinsic
def _spread(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _in_all(builder, builder.load(_pointer(context, builder, signature.args[0], *arguments)))

    return _LANES(array, types.intp), generate


@intrinsic
def _splat(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _in_all(builder, arguments[0])

    return _LANES(types.float32), generate


@intrinsic
def _larger(typing_context: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one, other = arguments
        return builder.select(builder.fcmp_ordered(">", one, other), one, other)

    return _LANES(_LANES, _LANES), generate


@intrinsic
def _total(typing_context: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = [
            builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), lane)) for lane in range(LANES)
        ]
        while len(numbers) > 1:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            numbers = [builder.fadd(one, other, flags=_FAST) for one, other in pairs]
        return numbers[0]

    return types.float32(_LANES), generate


def _arithmetic(name: str) -> Any:
    def typed(typing_context: Any, one: Any, other: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(*arguments, flags=_FAST)

        return _LANES(_LANES, _LANES), generate

    return intrinsic(typed)


def _overload_operator(sign: Callable, body: Any) -> None:
    @overload(sign)
    def choose(one, other):
        if isinstance(one, LanesType) and isinstance(other, LanesType):
            return lambda one, other: body(one, other)  # noqa: PLW0108
        return None


_overload_operator(operator.add, _arithmetic("fadd"))
_overload_operator(operator.sub, _arithmetic("fsub"))
_overload_operator(operator.mul, _arithmetic("fmul"))


@overload(load)
def _overload_load(array, index):
    return lambda array, index: _load(array, index)  # type: ignore[call-arg]  # noqa: PLW0108


@overload(store)
def _overload_store(array, index, lanes):
    return lambda array, index, lanes: _store(array, index, lanes)  # type: ignore[call-arg]  # noqa: PLW0108


@overload(spread)
def _overload_spread(array, index):
    return lambda array, index: _spread(array, index)  # type: ignore[call-arg]  # noqa: PLW0108


@overload(splat)
def _overload_splat(number):
    return lambda number: _splat(number)  # type: ignore[call-arg]  # noqa: PLW0108


@overload(larger)
def _overload_larger(one, other):
    return lambda one, other: _larger(one, other)  # type: ignore[call-arg]  # noqa: PLW0108


@overload(total)
def _overload_total(lanes):
    return lambda lanes: _total(lanes)  # type: ignore[call-arg]  # noqa: PLW0108
