import { expect, test } from 'vitest';
import { isLoopback } from '../../src/models/loopback.js';

test.each([
  'http://localhost:11434/v1',
  'https://127.0.0.1',
  'http://127.8.0.1:80',
  'http://[::1]:1234',
  'HTTP://LOCALHOST',
])('%s is on this machine', (address) => expect(isLoopback(address)).toBe(true));

test.each([
  'http://127.0.0.1.example.org',
  'http://localhost.example.org',
  'http://user:127.0.0.1@example.org',
  'http://10.0.0.1',
  'localhost:11434',
  '',
])('%j is not', (address) => expect(isLoopback(address)).toBe(false));
