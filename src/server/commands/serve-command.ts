// hostyard serve: runs the server.
import type { Command } from 'commander';
import { readConfig } from '#lib/config.ts';
import { serve } from '../serve.ts';

export function serveCommand(command: Command): void {
  command.action(() => serve(readConfig(process.env)));
}
