"""Newton steps for tables of thousands of models, where a dense factor in every step would take minutes."""

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import LinearOperator, cg

from parley.ratings.arrays import Floats
from parley.ratings.pairs import Pairs
from parley.ratings.prior import Prior

RELATIVE = 1e-7
"""Newton's method makes up for it in its next step."""

ABSOLUTE = 1e-12
"""In votes: what rounding leaves of a gradient."""


def conjugate_step(pairs: Pairs, prior: Prior, weights: Floats, gradient: Floats) -> Floats:
    """Return H⁺·gradient by conjugate gradients with the diagonal as preconditioner (Hestenes & Stiefel 1952).

    H is the Laplacian of the weights and the prior's precision; the gradient has the sum zero, so that steps have too.
    """
    size = len(gradient)
    one, other = pairs.first, pairs.second
    across = csr_matrix((weights, (one, other)), shape=(size, size))
    adjacency = across + across.T
    degree: Floats = np.asarray(adjacency.sum(axis=1), dtype=np.float64).reshape(-1)
    diagonal = degree + prior.precision * prior.open + 1e-300

    def times(vector: Floats) -> Floats:
        vector = vector.reshape(-1)
        return degree * vector - adjacency @ vector + prior.pull(vector)

    shape = (size, size)
    operator = LinearOperator(shape, matvec=times, dtype=np.float64)
    scaled = LinearOperator(shape, matvec=lambda vector: vector.reshape(-1) / diagonal, dtype=np.float64)
    step, _ = cg(operator, gradient, rtol=RELATIVE, atol=ABSOLUTE, maxiter=size, M=scaled)
    return step - step.mean()
