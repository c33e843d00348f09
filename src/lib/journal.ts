// Priorities for systemd's journal, which reads them before each line and removes them: sd-daemon(3). Without them,
// `journalctl -p warning` would show nothing.
import { fstatSync } from 'node:fs';

/** syslog's priorities by level of the log. */
const priorities: Readonly<Record<number, number>> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 };

/** Returns true if this stream of the process ends in the journal. */
export function isJournal(fd: number): boolean {
  const { dev, ino } = fstatSync(fd);
  return process.env['JOURNAL_STREAM'] === `${dev}:${ino}`;
}

export function withPriority(level: number, line: string): string {
  return `<${priorities[level] ?? 6}>${line}`;
}

/** Writes an error message to standard error. */
export function printFailure(message: string): void {
  const lines = message.split('\n');
  process.stderr.write(`${(isJournal(2) ? lines.map((line) => withPriority(50, line)) : lines).join('\n')}\n`);
}
