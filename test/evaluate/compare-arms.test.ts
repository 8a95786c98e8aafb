import { describe, expect, it } from 'vitest';
import { isSurmiseError } from '../../src/core/index.js';
import { baseOf, compareArms, comparePaired, holm } from '../../src/evaluate/index.js';

const rounds = 2_000;
const queries = Array.from({ length: 40 }, (_, i) => `q${i}`);
const values = (of: (i: number) => number) => new Map(queries.map((id, i): [string, number] => [id, of(i)]));

describe('what an arm is compared with', () => {
  it.each([
    ['hybrid+feedback+hyde', ['lexical', 'hybrid', 'hybrid+feedback'], 'hybrid+feedback'],
    ['hybrid+feedback+hyde', ['lexical', 'hybrid', 'hybrid+hyde'], 'hybrid'],
    ['hybrid+hyde', ['lexical', 'dense'], undefined],
    ['hybrid', ['lexical', 'dense'], 'lexical'],
    ['dense', ['hybrid'], undefined],
    ['lexical', ['dense', 'hybrid'], undefined],
  ])('%s among %j: %s', (arm, measured, base) => {
    expect(baseOf(arm, [arm, ...measured])).toBe(base);
  });
});

describe('comparing arms', () => {
  const lexical = values((i) => (i % 5) / 5);
  const better = values((i) => (i % 5) / 5 + 0.05);
  const mixed = values((i) => (i % 5) / 5 + (i % 2 === 0 ? 0.1 : -0.1));
  const arms = new Map([
    ['lexical', lexical],
    ['lexical+hyde', better],
    ['hybrid', mixed],
  ]);

  it('takes each with its base, and adjusts p for all of them', () => {
    const [hyde, hybrid, ...rest] = compareArms(arms, { rounds });
    expect(rest).toEqual([]);
    expect(hyde).toMatchObject({ arm: 'lexical+hyde', base: 'lexical', wins: 40, losses: 0, verdict: 'better' });
    expect(hyde!.difference).toBeCloseTo(0.05, 12);
    expect(hybrid).toMatchObject({ arm: 'hybrid', base: 'lexical', wins: 20, losses: 20, verdict: 'undecided' });
    const p = [comparePaired(lexical, better, { rounds }).p, comparePaired(lexical, mixed, { rounds }).p];
    expect([hyde!.pHolm, hybrid!.pHolm]).toEqual(holm(p));
    expect(hyde!.pHolm).toBeGreaterThan(hyde!.p);
  });

  it('takes every other arm with the baseline that was named', () => {
    const pairs = compareArms(arms, { rounds, baseline: 'hybrid' });
    expect(pairs.map(({ arm, base }) => [arm, base])).toEqual([
      ['lexical', 'hybrid'],
      ['lexical+hyde', 'hybrid'],
    ]);
  });

  it('does not call better what may be chance among so many comparisons', () => {
    // Alone, this arm's interval lies above 0; beside nine arms of noise it is one of ten chances.
    const slight = values((i) => (i % 5) / 5 + (i % 4 === 0 ? -0.02 : 0.0165));
    const alone = compareArms(
      new Map([
        ['lexical', lexical],
        ['lexical+a', slight],
      ]),
      { rounds },
    );
    expect(alone[0]).toMatchObject({ verdict: 'better' });
    const noise = Array.from({ length: 9 }, (_, n): [string, Map<string, number>] => [
      `lexical+n${n}`,
      values((i) => (i % 5) / 5 + ((i + n) % 2 === 0 ? 0.002 : -0.002)),
    ]);
    const among = compareArms(new Map([['lexical', lexical], ['lexical+a', slight], ...noise]), { rounds });
    expect(among[0]!.p).toBeLessThan(0.05);
    expect(among[0]!.pHolm).toBeGreaterThan(0.05);
    expect(among[0]).toMatchObject({ verdict: 'not worse' });
  });

  it('names a baseline that is not there, and says nothing about one arm', () => {
    expect(compareArms(new Map([['hybrid', mixed]]))).toEqual([]);
    let thrown: unknown;
    try {
      compareArms(arms, { baseline: 'dense' });
    } catch (error) {
      thrown = error;
    }
    expect(isSurmiseError(thrown) && thrown.code).toBe('bad_argument');
    expect(String(thrown)).toContain("'dense'");
  });
});
