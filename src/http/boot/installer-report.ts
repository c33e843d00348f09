// Reads the progress report of an installer: from the query if it can only send a GET, or from the body as a form or
// JSON.
import type { BootReport } from '#app/reload/boot.ts';

const phases = ['Booting', 'Installing', 'Completed', 'Failed'] as const;

/** Returns undefined if the report is invalid. */
export function readInstallerReport(body: string, query: Readonly<Record<string, unknown>>): BootReport | undefined {
  const values = { ...query, ...bodyValues(body) };
  const phase = phases.find((candidate) => candidate === values['phase']);
  if (phase === undefined) return undefined;
  const percentText = String(values['percent'] ?? '');
  if (!/^(?:[0-9]{1,3})?$/.test(percentText) || Number(percentText) > 100) return undefined;
  const message = typeof values['message'] === 'string' ? values['message'] : '';
  return {
    phase,
    ...(percentText === '' ? {} : { percent: Number(percentText) }),
    ...(message === '' ? {} : { message }),
  };
}

function bodyValues(body: string): Record<string, unknown> {
  if (!body.trimStart().startsWith('{')) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}
