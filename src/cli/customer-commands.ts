// What customers do from their own machine, through the API.
import type { CommandTable } from './table.ts';

export const customerCommands: CommandTable = {};
