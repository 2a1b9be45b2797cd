"""The compiled bodies of `kakomi.kernel.atomic`: LLVM's atomic instructions."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from kakomi.kernel.atomic import add, claim, publish


@intrinsic
def _add(typing_context: Any, array: Any, index: Any, amount: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _element(context, builder, signature, arguments)
        kind = "fadd" if isinstance(array.dtype, types.Float) else "add"
        return builder.atomic_rmw(kind, pointer, arguments[2], "seq_cst")

    return array.dtype(array, types.intp, array.dtype), generate


@intrinsic
def _claim(typing_context: Any, array: Any, index: Any, expected: Any, wanted: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _element(context, builder, signature, arguments)
        answer = builder.cmpxchg(pointer, arguments[2], arguments[3], "seq_cst", "seq_cst")
        return builder.extract_value(answer, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), generate


@intrinsic
def _publish(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _element(context, builder, signature, arguments)
        builder.atomic_rmw("xchg", pointer, arguments[2], "seq_cst")
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> ir.Value:
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, arguments[0])
    return cgutils.get_item_pointer(context, builder, kind, array, [arguments[1]], wraparound=False)


@overload(add)
def _overload_add(array, index, amount):
    return lambda array, index, amount: _add(array, index, amount)  # type: ignore[call-arg]  # noqa: PLW0108


@overload(claim)
def _overload_claim(array, index, expected, wanted):
    return lambda array, index, expected, wanted: _claim(array, index, expected, wanted)  # type: ignore[call-arg]  # noqa: PLW0108


@overload(publish)
def _overload_publish(array, index, value):
    return lambda array, index, value: _publish(array, index, value)  # type: ignore[call-arg]  # noqa: PLW0108
