// What an installer says of itself: in the query, where it can only fetch, or in the body, as a form or as JSON.
import type { BootReport } from '#app/reload/boot.ts';

const phases = ['Booting', 'Installing', 'Completed', 'Failed'] as const;

/** Undefined where it makes no sense. */
export function readReport(body: string, query: Readonly<Record<string, unknown>>): BootReport | undefined {
  const said = { ...query, ...bodyValues(body) };
  const phase = phases.find((each) => each === said['phase']);
  if (phase === undefined) return undefined;
  const percentText = String(said['percent'] ?? '');
  if (!/^(?:[0-9]{1,3})?$/.test(percentText) || Number(percentText) > 100) return undefined;
  const message = typeof said['message'] === 'string' ? said['message'] : '';
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
