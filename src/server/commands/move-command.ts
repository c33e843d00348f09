// hostyard move: from SQLite to PostgreSQL, or back. Says first how long the server will be stopped.
import { InvalidArgumentError, type Command } from 'commander';
import { readConfig } from '#lib/config.ts';
import { countText } from '#lib/count-text.ts';
import type { DatabaseSize } from '#store/copy/tables.ts';
import { printLine } from '../command-line.ts';
import { openDataFolder } from '../data-folder.ts';
import { moveDatabase } from './move.ts';

/** Measured with 220,000 rows in 90 MB on two busy cores, and rounded down. */
const rowsPerSecond = 20_000;
const bytesPerSecond = 10_000_000;

export function move(command: Command): void {
  command
    .requiredOption('--to <database>', 'A postgres:// address, or sqlite for the file in the data folder', parseTarget)
    .option('--check', 'Only check both databases and estimate the downtime; works while the server runs')
    .action(async ({ to, check }: { to: string; check?: boolean }) => {
      const config = readConfig(process.env);
      openDataFolder(config.dataFolder);
      const target = to === 'sqlite' ? undefined : to;
      const rows = await moveDatabase(config, {
        to: target,
        mode: check === true ? 'check' : 'move',
        onStart: (size) => printLine(estimateText(size)),
      });
      if (rows === undefined) return printLine('Nothing was moved. Stop the server, then run this without --check.');
      printLine(`Moved ${countText(rows, 'row')}. Every table was read back and matches.`);
      printLine(
        target === undefined
          ? 'Remove HOSTYARD_DATABASE from the settings, then start the server. The PostgreSQL database is unchanged.'
          : 'Set HOSTYARD_DATABASE to that address, then start the server. The SQLite file is unchanged.',
      );
    });
}

function parseTarget(text: string): string {
  if (text !== 'sqlite' && !/^postgres(ql)?:\/\//.test(text))
    throw new InvalidArgumentError('must be sqlite, or start with postgres://');
  return text;
}

function estimateText({ rows, bytes }: DatabaseSize): string {
  const seconds = Math.max(10, Math.ceil(rows / rowsPerSecond + bytes / bytesPerSecond));
  const time = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `${countText(rows, 'row')} in ${Math.ceil(bytes / 1_000_000)} MB: the server will be stopped for about ${time}.`;
}
