import { writeFileSync } from 'node:fs';

// Loaded before a measured program: what the operating system says of its memory when it ends.
process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  writeFileSync(process.env.SURMISE_BENCH_REPORT, JSON.stringify({ maxRss: maxRSS }));
});
