// What every command needs: the yard of this installation, a way to speak, and arguments read strictly.
import { InvalidArgumentError } from 'commander';
import type { Yard } from '#app/yard.ts';
import { readConfig } from '#kernel/config.ts';
import { openYard } from './compose.ts';

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export async function withYard(work: (yard: Yard) => Promise<void>): Promise<void> {
  const yard = await openYard({ ...readConfig(process.env), logLevel: 'silent' });
  try {
    await work(yard);
  } finally {
    await yard.jobs.stop();
    await yard.store.close();
  }
}

export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('must be digits');
  return Number(text);
}
