// Reads the progress report of an installer: from the query if it can only send a GET, or from the body as a form or
// JSON.
import type { BootReport } from '#app/reload/boot.ts';
import type { DiskReport, EraseSummary } from '#app/reload/erase-report.ts';
import { eraseMethods } from '#contract/states/servers.ts';

const phases = ['Booting', 'Installing', 'Erased', 'Completed', 'Failed'] as const;
const maxDisks = 1000;

type Values = Readonly<Record<string, unknown>>;

/** Returns undefined if the report is invalid. */
export function readInstallerReport(body: string, query: Values): BootReport | undefined {
  const values = { ...query, ...bodyValues(body) };
  const phase = phases.find((candidate) => candidate === values['phase']);
  if (phase === undefined) return undefined;
  const percentText = textOf(values['percent']);
  if (!/^(?:[0-9]{1,3})?$/.test(percentText) || Number(percentText) > 100) return undefined;
  const message = typeof values['message'] === 'string' ? values['message'] : '';
  const diskReport = phase === 'Erased' ? readDisk(values) : undefined;
  const summary = phase === 'Completed' && 'disks' in values ? readSummary(values) : undefined;
  if ((phase === 'Erased' && diskReport === undefined) || ('disks' in values && summary === undefined))
    return undefined;
  return {
    phase,
    ...(percentText === '' ? {} : { percent: Number(percentText) }),
    ...(message === '' ? {} : { message }),
    ...(diskReport === undefined ? {} : { diskReport }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function readDisk(values: Values): DiskReport | undefined {
  const { serial, result } = values;
  const index = readCount(values['index'], maxDisks);
  const bytes = readCount(values['bytes']);
  const seconds = readCount(values['seconds']);
  const method = eraseMethods.find((candidate) => candidate === values['method']);
  if (index === undefined || index === 0 || bytes === undefined || seconds === undefined || method === undefined)
    return undefined;
  if (typeof serial !== 'string' || !/^[!-~]{1,64}$/.test(serial)) return undefined;
  if (result !== 'erased' && result !== 'failed') return undefined;
  return { index, disk: { serial, bytes, method, seconds, isErased: result === 'erased' } };
}

function readSummary(values: Values): EraseSummary | undefined {
  const disks = readCount(values['disks'], maxDisks);
  const memoryMb = readCount(values['memory']);
  return disks === undefined || memoryMb === undefined ? undefined : { disks, memoryMb };
}

/** JSON can contain anything, also objects that cannot be converted to text. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readCount(value: unknown, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const text = textOf(value);
  return /^[0-9]{1,16}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

function bodyValues(body: string): Record<string, unknown> {
  if (!body.trimStart().startsWith('{')) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}
