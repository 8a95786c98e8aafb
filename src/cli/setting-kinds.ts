/** What a setting holds: how it is read from a file's value or a variable's text, and how it is described. */
export interface SettingKind<T> {
  readonly expected: string;
  /** What is no such thing is not quoted: it may hold a password. */
  readonly quoted?: false;
  /** The value meant, `undefined` for what is no such thing. A number outside of the range becomes the nearest inside. */
  read(given: unknown): T | undefined;
}

export const text: SettingKind<string> = {
  expected: 'a text',
  read: (given) => (typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined),
};

/** Of a server. A password in it would be shown with the address; the settings for keys are not. */
export const address: SettingKind<string> = {
  expected: 'an address such as http://127.0.0.1:8080/v1, without user and password',
  quoted: false,
  read: (given) => {
    const value = text.read(given);
    if (value === undefined || !URL.canParse(value)) return undefined;
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username + password === '' ? value : undefined;
  },
};

export function wholeNumber(low: number, high: number): SettingKind<number> {
  return {
    expected: `a whole number from ${low} to ${high}`,
    read: (given) => {
      const value = numberOf(given);
      return Number.isInteger(value) ? Math.min(high, Math.max(low, value)) : undefined;
    },
  };
}

export const fraction: SettingKind<number> = {
  expected: 'a number from 0 to 1',
  read: (given) => {
    const value = numberOf(given);
    return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : undefined;
  },
};

export function oneOf<const T extends string>(...names: readonly T[]): SettingKind<T> {
  return {
    expected: names.join(', '),
    read: (given) =>
      typeof given === 'string' ? names.find((name) => name === given.trim().toLowerCase()) : undefined,
  };
}

const yes = ['1', 'true', 'yes', 'on'];
const no = ['0', 'false', 'no', 'off'];

/** A switch. In a variable: 1, true, yes, on; 0, false, no, off. */
export const yesOrNo: SettingKind<boolean> = {
  expected: 'true or false',
  read: (given) => {
    if (typeof given === 'boolean') return given;
    const word = typeof given === 'string' ? given.trim().toLowerCase() : '';
    return yes.includes(word) ? true : no.includes(word) ? false : undefined;
  },
};

/** In a variable: separated by commas. */
export const texts: SettingKind<readonly string[]> = {
  expected: 'a list of texts',
  read: (given) => {
    const parts = typeof given === 'string' ? given.split(',') : given;
    if (!Array.isArray(parts)) return undefined;
    const read = parts.map(text.read);
    return read.every((part) => part !== undefined) ? read : undefined;
  },
};

function numberOf(given: unknown): number {
  if (typeof given === 'number') return given;
  return typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
}
