/** Columns are padded with zeros to a multiple of this. */
const columnBlock = 32;
/** Largest value of a row; -128 is not used, so that rows are symmetric. */
const rowLevels = 127;
const queryLevels = 32_767;
/** What is added to even columns of a row, so that the kernel widens them without a shift. */
export const evenOffset = 128;
/** More dimensions leave the query too few levels to be of use. */
export const mostDimensions = 65_536;

export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / columnBlock) * columnBlock;
}

export interface QuantizedRow {
  readonly scale: number;
  /** At least `‖x − scale · x8‖`. */
  readonly error: number;
}

/**
 * Writes a vector as int8 with one scale (largest absolute value / 127) to `values` from `offset` on; columns of even
 * number plus 128, wrapped around to -128 to 127. Both results are float32 numbers. The error is that of the numbers as
 * they are stored, summed in double precision and rounded up.
 */
export function quantizeRow(vector: Float32Array, values: Int8Array, offset: number): QuantizedRow {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) {
    const size = Math.abs(vector[at]!);
    if (size > largest) largest = size;
  }
  const scale = Math.fround(largest / rowLevels);
  const inverse = scale === 0 ? 0 : 1 / scale;
  let sum = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at]!;
    const level = nearestInteger(value * inverse);
    values[offset + at] = at % 2 === 0 ? level + evenOffset : level;
    const rest = value - scale * level;
    sum += rest * rest;
  }
  return { scale, error: roundUp(Math.sqrt(sum)) };
}

/** A query as int16, and what its scores may be wrong by: `|score − scale · s · dot| ≤ slope · error + offset`. */
export interface QuantizedQuery {
  /** Padded with zeros to the stride. */
  readonly values: Int16Array;
  readonly scale: number;
  readonly slope: number;
  readonly offset: number;
}

/**
 * Quantises a query q of length 1 or 0 for rows x of length 1 or 0, and bounds the error of the scores.
 *
 * Be x8 and s the int8 row and its scale, q16 and t the query's, e = x − s·x8 and d = q − t·q16. Then
 *
 *     <q, x> − t·s·<q16, x8> = <q, x> − <q − d, x − e> = <q, e> + <d, x − e>
 *
 * and by Cauchy and Schwarz its absolute value is at most ‖q‖·‖e‖ + ‖d‖·(‖x‖ + ‖e‖) = (‖q‖ + ‖d‖)·‖e‖ + ‖d‖·‖x‖. ‖e‖ is
 * stored with the row and rounded up; ‖q‖ and ‖d‖ are measured; ‖x‖ is 1 as far as float32 can tell, so below 1 + 2^-20.
 *
 * What is compared is computed with rounding. <q16, x8> is a whole number and exact: the query has so few levels that no
 * sum reaches 2^31. The scan whose scores are wanted adds products of float32 numbers, exact in double precision, n of
 * them: its rounding is at most n·2^-53·Σ|qᵢ·xᵢ| and that sum is about 1 at most (Higham 2002, 3.1). With the
 * few operations around it, (n + 64)·2^-52 covers all of that.
 */
export function quantizeQuery(unit: Float32Array): QuantizedQuery {
  const dimensions = unit.length;
  const values = new Int16Array(strideOf(dimensions));
  const levels = Math.min(queryLevels, Math.floor(0x7fff_ffff / (rowLevels * values.length)));
  let largest = 0;
  for (let at = 0; at < dimensions; at++) largest = Math.max(largest, Math.abs(unit[at]!));
  const scale = largest / levels;
  let sum = 0;
  for (let at = 0; at < dimensions; at++) {
    const level = scale === 0 ? 0 : Math.max(-levels, Math.min(levels, Math.round(unit[at]! / scale)));
    values[at] = level;
    const rest = unit[at]! - scale * level;
    sum += rest * rest;
  }
  const error = roundUp(Math.sqrt(sum));
  return {
    values,
    scale,
    slope: roundUp(Math.sqrt(sumOfSquares(unit))) + error,
    offset: error * (1 + 2 ** -20) + (dimensions + 64) * 2 ** -52,
  };
}

/** Of a number far below 2^51: adding 1.5·2^52 leaves no room for a fraction. Several times as quick as Math.round. */
function nearestInteger(value: number): number {
  return value + 6_755_399_441_055_744 - 6_755_399_441_055_744;
}

function sumOfSquares(vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  return sum;
}

/** A float32 number that is larger by more than computing it may have lost. */
function roundUp(value: number): number {
  return Math.fround(value * (1 + 2 ** -20));
}
