"""Writes test/evaluate/fixtures/trec-eval.json: random judgements and runs with the values that trec_eval gives.

    pip install pytrec-eval-terrier==0.5.11   # trec_eval's own C code
    python scripts/trec-eval-fixture.py

Judgements are graded 0 to 3 with some -1; some queries are not answered, some have no relevant document, lists are
short and long. No scores are tied, so that tie rules do not matter. RR@k has no counterpart in trec_eval: it is
recip_rank of the run cut at k.
"""
import json
import os
import random

import pytrec_eval

rng = random.Random(20)
names = {
    "nDCG@10": "ndcg_cut_10", "nDCG@100": "ndcg_cut_100", "nDCG": "ndcg", "R@10": "recall_10", "R@100": "recall_100",
    "RR": "recip_rank", "AP": "map", "AP@10": "map_cut_10", "P@5": "P_5", "P@20": "P_20", "Success@1": "success_1",
    "Success@10": "success_10",
}
asked = {"ndcg_cut.10,100", "ndcg", "recall.10,100", "recip_rank", "map", "map_cut.10", "P.5,20", "success.1,10"}

documents = [f"d{i}" for i in range(240)]
qrels, run = {}, {}
for q in range(36):
    query = f"q{q}"
    judged = rng.sample(documents, rng.choice([1, 3, 12, 60]))
    grades = [-1, 0] if q % 9 == 4 else [-1, 0, 0, 0, 1, 1, 2, 3]
    qrels[query] = {d: rng.choice(grades) for d in judged}
    if q % 7 == 6:
        continue
    answer = rng.sample(documents, rng.choice([1, 4, 15, 130]))
    if rng.random() < 0.5:
        answer = list(dict.fromkeys(rng.sample(judged, min(3, len(judged))) + answer))
    scores = rng.sample(range(-20000, 90000), len(answer))
    run[query] = {d: s / 1000 for d, s in zip(answer, scores)}
run["not-judged"] = {"d1": 1.0}

evaluator = pytrec_eval.RelevanceEvaluator(qrels, asked)
values = {q: {ours: v[theirs] for ours, theirs in names.items()} for q, v in evaluator.evaluate(run).items()}
cut = {q: dict(sorted(r.items(), key=lambda x: -x[1])[:10]) for q, r in run.items()}
for q, v in pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(cut).items():
    values[q]["RR@10"] = v["recip_rank"]

# Constant scores, the tie rule of trec_eval itself: id descending.
ties = {"qrels": {"q": {"a": 3, "b": 0, "c": 0, "d": 1, "e": 2}}, "run": {"q": {d: 1.0 for d in "abcde"}}}
found = pytrec_eval.RelevanceEvaluator(ties["qrels"], asked).evaluate(ties["run"])["q"]
ties["values"] = {ours: found[theirs] for ours, theirs in names.items()}

path = os.path.join(os.path.dirname(__file__), "..", "test", "evaluate", "fixtures", "trec-eval.json")
with open(path, "w") as file:
    json.dump({"qrels": qrels, "run": run, "values": values, "ties": ties}, file, separators=(",", ":"))
    file.write("\n")
