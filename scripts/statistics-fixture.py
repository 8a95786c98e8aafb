"""Writes test/evaluate/fixtures/statistics.json: paired differences with what SciPy and statsmodels make of them.

    pip install scipy==1.17.1 statsmodels
    python scripts/statistics-fixture.py
"""
import json
import os

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

rng = np.random.default_rng(7)
samples = []
for n, shift, scale in [(8, 0.1, 0.2), (12, 0.0, 0.1), (12, 0.05, 0.05), (60, 0.02, 0.1), (200, 0.01, 0.2), (300, -0.03, 0.1)]:
    differences = np.round(rng.normal(shift, scale, n), 4)
    differences[rng.random(n) < 0.2] = 0
    exact = n <= 12
    test = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf if exact else 100_000, rng=1)
    interval = stats.bootstrap((differences,), np.mean, n_resamples=100_000, method="percentile", rng=1).confidence_interval
    samples.append({"differences": differences.tolist(), "exact": exact, "p": float(test.pvalue),
                    "interval": [float(interval.low), float(interval.high)]})

families = [[0.01, 0.04, 0.03, 0.005], [0.2], [0.5, 0.5, 0.9], np.round(rng.random(10) ** 3, 4).tolist()]
holm = [{"p": p, "adjusted": multipletests(p, method="holm")[1].tolist()} for p in families]
path = os.path.join(os.path.dirname(__file__), "..", "test", "evaluate", "fixtures", "statistics.json")
with open(path, "w") as file:
    json.dump({"samples": samples, "holm": holm}, file, indent=1)
    file.write("\n")
