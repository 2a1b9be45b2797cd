"""Games on a GPU, by the same rules.

env = CudaEnv(game, 65536, seed=1, autoreset="same_step")
for _ in range(100):
    seen = env.step(env.sample(), trusted=True)
observations = torch.as_tensor(seen.observations, device="cuda")  # the same memory

Needs numba-cuda (the extra `cuda`): without it importing this raises ImportError. Without a GPU that CUDA can
use `CudaEnv` and `playouts` raise RuntimeError; `ptx` compiles all the same.
"""

from kakomi.research.cuda.env import CudaEnv, Played, playouts, ptx

__all__ = ["CudaEnv", "Played", "playouts", "ptx"]
