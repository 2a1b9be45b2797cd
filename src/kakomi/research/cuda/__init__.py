"""Games on a GPU, with the same rules.

env = CudaEnv(game, 65536, seed=1, autoreset="same_step")
for _ in range(100):
    seen = env.step(env.sample(), trusted=True)
observations = torch.as_tensor(seen.observations, device="cuda")  # the same memory

Needs numba-cuda (the extra `cuda`); without it, importing this module raises ImportError. Without a CUDA GPU,
`CudaEnv` and `playouts` raise RuntimeError, but `ptx` works.
"""

from kakomi.research.cuda.env import CudaEnv, Played, playouts, ptx

__all__ = ["CudaEnv", "Played", "playouts", "ptx"]
