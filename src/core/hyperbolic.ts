import { SurmiseError } from './errors.js';
import { norm } from './vectors.js';

/*
 * The Poincaré ball of curvature −c: points x with √c·‖x‖ < 1 (Ganea et al. 2018, "Hyperbolic Neural Networks"). A
 * tangent vector at 0 is as long as the way it leads: distance(0, exp₀(v)) = ‖v‖. Results are fresh Float64Arrays that
 * lie strictly inside the ball for every finite c above 0, and finite. Points in float32 may lie on the boundary by
 * rounding: up to a millionth beyond it they are taken for points just inside.
 */

/** How near to the boundary a point may be, as a share of the radius: the far end of what float64 can tell apart. */
const margin = 1e-10;
/** What float32 rounding may add to a point just inside. */
const tolerated = 1e-6;
const maxSteps = 1_000;

export interface KarcherOptions {
  /** One for each point, 0 or more, not all 0. Default 1 each. */
  readonly weights?: readonly number[];
}

/** exp₀(v) = tanh(√c‖v‖/2)·v/(√c‖v‖): where one arrives that goes from 0 along v. `c` above 0. */
export function expMap0(v: ArrayLike<number>, c = 1): Float64Array {
  const root = rootOf(c);
  const { length, direction } = polar(v);
  return along(direction, Math.tanh((root * length) / 2), root);
}

/** log₀(y) = 2·artanh(√c‖y‖)·y/(√c‖y‖): the tangent vector at 0 that leads to y. */
export function logMap0(y: ArrayLike<number>, c = 1): Float64Array {
  const root = rootOf(c);
  const { length, direction } = polar(y);
  const way = (2 * Math.atanh(inside(root * length))) / root;
  return direction.map((part) => part * way);
}

/**
 * d(a, b) = arcosh(1 + 2c‖a−b‖²/((1−c‖a‖²)(1−c‖b‖²)))/√c, computed as 2·arsinh of the root of half of what stands
 * beside the 1, which is the same and exact for near points.
 */
export function hyperbolicDistance(a: ArrayLike<number>, b: ArrayLike<number>, c = 1): number {
  const root = rootOf(c);
  const [x, y] = pair(a, b, root);
  const apart = root * norm(x.map((value, i) => value - y[i]!));
  return (2 * Math.asinh(apart / Math.sqrt(gap(x, root) * gap(y, root)))) / root;
}

/**
 * x ⊕ y = ((1 + 2c⟨x,y⟩ + c‖y‖²)x + (1 − c‖x‖²)y) / (1 + 2c⟨x,y⟩ + c²‖x‖²‖y‖²), rearranged around s = x + y so that
 * nothing cancels near the boundary: ((1 − c‖x‖²)s + c‖s‖²x) / (c‖s‖² + (1 − c‖x‖²)(1 − c‖y‖²)).
 */
export function mobiusAdd(a: ArrayLike<number>, b: ArrayLike<number>, c = 1): Float64Array {
  const root = rootOf(c);
  const [x, y] = pair(a, b, root);
  const sum = x.map((value, i) => value + y[i]!);
  const square = (root * norm(sum)) ** 2;
  const [gapX, gapY] = [gap(x, root), gap(y, root)];
  const out = sum.map((value, i) => (gapX * value + square * x[i]!) / (square + gapX * gapY));
  return pulledIn(out, root);
}

/** r ⊗ x = tanh(r·artanh(√c‖x‖))·x/(√c‖x‖): r times the way from 0 to x. Any finite r. */
export function mobiusScale(r: number, x: ArrayLike<number>, c = 1): Float64Array {
  if (!Number.isFinite(r)) throw bad('the factor must be a finite number');
  const root = rootOf(c);
  const { length, direction } = polar(x);
  return along(direction, Math.tanh(r * Math.atanh(inside(root * length))), root);
}

/** The point itself, or where it lies on or beyond the boundary the one just inside in the same direction. */
export function projectToBall(x: ArrayLike<number>, c = 1): Float64Array {
  const root = rootOf(c);
  polar(x);
  return pulledIn(Float64Array.from(x), root);
}

/**
 * The Karcher (Fréchet) mean: the one point with the least weighted sum of squared distances. Gradient descent from the
 * gyromidpoint, with steps that the curvature allows (the Hessian of d²/2 is at most r·coth r); at most 1,000 of them.
 *
 * @throws SurmiseError `bad_argument`: no points, different lengths, bad weights, and as the others
 */
export function karcherMean(
  points: readonly ArrayLike<number>[],
  c = 1,
  { weights }: KarcherOptions = {},
): Float64Array {
  const root = rootOf(c);
  const first = points[0];
  if (first === undefined) throw bad('at least one point is needed');
  const given = points.map((point) => pair(point, first, root)[0]);
  const shares = sharesOf(points.length, weights);
  let mean = gyromidpoint(given, shares, c, root);
  for (let step = 0; step < maxSteps; step++) {
    const back = mean.map((value) => -value);
    const gradient = new Float64Array(mean.length);
    let bend = 0;
    for (const [at, share] of shares.entries()) {
      if (share === 0) continue;
      const way = logMap0(mobiusAdd(back, given[at]!, c), c);
      const radius = root * norm(way);
      bend += share * (radius < 1e-4 ? 1 : radius / Math.tanh(radius));
      for (const [i, part] of way.entries()) gradient[i]! += share * part;
    }
    const move = gradient.map((part) => part / bend);
    const next = mobiusAdd(mean, expMap0(move, c), c);
    const still = next.every((value, i) => value === mean[i]);
    mean = next;
    if (still || root * norm(move) < 1e-14) break;
  }
  return mean;
}

/** ½ ⊗ (Σ wλx / Σ w(λ − 1)) with λ = 2/(1 − c‖x‖²): near the mean, and the mean itself of two points. */
function gyromidpoint(points: readonly Float64Array[], shares: readonly number[], c: number, root: number) {
  const lambdas = points.map((point) => 2 / gap(point, root));
  const total = lambdas.reduce((sum, lambda, at) => sum + shares[at]! * (lambda - 1), 0);
  const sum = new Float64Array(points[0]!.length);
  for (const [at, point] of points.entries())
    for (const [i, value] of point.entries()) sum[i]! += ((shares[at]! * lambdas[at]!) / total) * value;
  return mobiusScale(0.5, pulledIn(sum, root), c);
}

function sharesOf(count: number, weights: readonly number[] = new Array<number>(count).fill(1)): number[] {
  if (weights.length !== count) throw bad(`there are ${count} points but ${weights.length} weights`);
  const most = weights.reduce((max, weight) => Math.max(max, weight), 0);
  if (!weights.every((weight) => weight >= 0 && weight <= Number.MAX_VALUE) || !(most > 0))
    throw bad('weights must be finite numbers of 0 or more, not all 0');
  const total = weights.reduce((sum, weight) => sum + weight / most, 0);
  return weights.map((weight) => weight / most / total);
}

function rootOf(c: number): number {
  if (!(c > 0 && c <= Number.MAX_VALUE)) throw bad('the curvature c must be a finite number above 0');
  return Math.sqrt(c);
}

/** Length and unit direction; the direction of the zero vector is zero. */
function polar(x: ArrayLike<number>): { length: number; direction: Float64Array } {
  const values = Float64Array.from(x);
  let most = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) throw bad('a value is not a finite number');
    most = Math.max(most, Math.abs(value));
  }
  if (most === 0) return { length: 0, direction: values };
  const scaled = values.map((value) => value / most);
  const length = norm(scaled);
  return { length: most * length, direction: scaled.map((value) => value / length) };
}

/** Two points of the ball, of one length. */
function pair(a: ArrayLike<number>, b: ArrayLike<number>, root: number): [Float64Array, Float64Array] {
  if (a.length !== b.length) throw bad(`one point has ${a.length} dimensions, another ${b.length}`);
  for (const point of [a, b]) inside(root * polar(point).length);
  return [pulledIn(Float64Array.from(a), root), pulledIn(Float64Array.from(b), root)];
}

/** √c‖x‖ of a point that a caller gives, at most 1 − margin. */
function inside(radius: number): number {
  if (radius > 1 + tolerated) throw bad('a point lies outside the ball; projectToBall brings it in');
  return Math.min(radius, 1 - margin);
}

function pulledIn(x: Float64Array, root: number): Float64Array {
  const { length, direction } = polar(x);
  return root * length > 1 - margin ? along(direction, 1, root) : x;
}

/** The point at the share `radius` (−1 to 1) of the ball's radius, inside. */
function along(direction: Float64Array, radius: number, root: number): Float64Array {
  const reach = Math.min(1 - margin, Math.max(margin - 1, radius)) / root;
  return direction.map((part) => part * reach);
}

/** 1 − c‖x‖², without cancelling. */
function gap(x: Float64Array, root: number): number {
  const radius = root * norm(x);
  return (1 - radius) * (1 + radius);
}

function bad(what: string): SurmiseError {
  return new SurmiseError('bad_argument', `Can not compute in the Poincaré ball: ${what}.`);
}
