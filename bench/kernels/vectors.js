/** Numbers from 0 to 1, the same for the same seed (xorshift32). */
export function random(seed) {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Rows of length 1 in no direction more than in others, which is the hardest for an index that looks at some only. */
export function unclustered(rows, dimensions, seed) {
  const next = random(seed);
  const matrix = new Float32Array(rows * dimensions);
  for (let at = 0; at < matrix.length; at++) matrix[at] = next() * 2 - 1;
  return normalised(matrix, dimensions);
}

/** Rows of length 1 around centres, one for a hundred of them, as embeddings of texts on common subjects are. */
export function clustered(rows, dimensions, seed) {
  const centres = unclustered(Math.ceil(rows / 100), dimensions, seed);
  const next = random(seed + 1);
  // As far from the centre as the centre is from 0.
  const spread = Math.sqrt(3 / dimensions);
  const matrix = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const centre = Math.floor((next() * centres.length) / dimensions) * dimensions;
    for (let at = 0; at < dimensions; at++)
      matrix[row * dimensions + at] = centres[centre + at] + (next() * 2 - 1) * spread;
  }
  return normalised(matrix, dimensions);
}

function normalised(matrix, dimensions) {
  for (let start = 0; start < matrix.length; start += dimensions) {
    let sum = 0;
    for (let at = start; at < start + dimensions; at++) sum += matrix[at] * matrix[at];
    const norm = Math.sqrt(sum);
    for (let at = start; at < start + dimensions; at++) matrix[at] /= norm;
  }
  return matrix;
}

/** Questions near to some rows, so that there is something to find. */
export function questions(matrix, dimensions, count, seed) {
  const next = random(seed);
  const rows = matrix.length / dimensions;
  return Array.from({ length: count }, () => {
    const start = Math.floor(next() * rows) * dimensions;
    const question = matrix.slice(start, start + dimensions);
    for (let at = 0; at < dimensions; at++) question[at] += (next() * 2 - 1) * Math.sqrt(3 / dimensions);
    return normalised(question, dimensions);
  });
}

/** Rows of the k best by cosine, computed in float64. */
export function exactRows(matrix, dimensions, question, k) {
  const scored = [];
  for (let row = 0, start = 0; start < matrix.length; row++, start += dimensions) {
    let dot = 0;
    let square = 0;
    for (let at = 0; at < dimensions; at++) {
      const value = matrix[start + at];
      dot += value * question[at];
      square += value * value;
    }
    scored.push({ row, score: dot / Math.sqrt(square) });
  }
  scored.sort((a, b) => b.score - a.score || a.row - b.row);
  return scored.slice(0, k).map(({ row }) => row);
}
