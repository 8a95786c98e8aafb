import { InvalidArgumentError, Option } from 'commander';

export function embedderOption(standard?: string): Option {
  const option = new Option(
    '--embedder <name>',
    'static (built in, English), none, local:FOLDER, a provider such as voyage or ollama:MODEL, or the path of a table',
  );
  return standard === undefined ? option : option.default(standard);
}

export function generatorOption(): Option {
  return new Option(
    '--generator <name>',
    'what writes hypotheses: a provider with its model, such as ollama:llama3.2, or none',
  );
}

export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

export function whole(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < low || value > high)
      throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
    return value;
  };
}

export function list(text: string): string[] {
  const names = text.split(',').map((name) => name.trim().replace(/^\./, '').toLowerCase());
  if (names.some((name) => !/^\w+$/.test(name)))
    throw new InvalidArgumentError('It must be extensions separated by commas, such as md,pdf.');
  return names;
}

export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

export function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return value;
}

/** An amount of money: 0 or more. */
export function amount(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1e9))
    throw new InvalidArgumentError('It must be a number from 0 to 1000000000, such as 0.5.');
  return value;
}
