// Who may report attacks, and the proof that a report is theirs.
import type { KeyObject } from 'node:crypto';
import { Fault } from '#kernel/fault.ts';
import { hookIsGenuine, hookSecret, type HookHeaders } from '#kernel/hook-signature.ts';
import { detectorFind, detectorList, type DetectorTable } from '#store/detectors.ts';
import type { Queries } from '#store/store.ts';
import { readReport, type Detection } from './detection.ts';
import { detectorSealContext, type DetectorSettings } from './site-attacks.ts';
import type { Yard } from './yard.ts';

export interface Detector extends DetectorSettings {
  readonly name: string;
}

export async function detectorsAll(yard: Pick<Yard, 'secrets'>, queries: Queries): Promise<Detector[]> {
  return (await detectorList(queries)).map((row) => opened(yard, row));
}

/** A report over HTTP. A detector that is not known and a bad signature get the same answer. */
export async function hookReport(yard: Yard, name: string, headers: HookHeaders, body: Buffer): Promise<Detection> {
  const now = yard.clock.now();
  const row = await detectorFind(yard.store.queries, name);
  if (row === undefined || !hookIsGenuine(keyOf(yard, row), headers, body, now))
    throw new Fault('unauthenticated', { message: 'The report is not signed as a detector of ours would sign it.' });
  return readReport(name, parsed(body), now);
}

/** Reports come in bursts: the key of a detector is made once for as long as its settings stand. */
const keys = new Map<string, { readonly settings: string; readonly key: KeyObject }>();
function keyOf(yard: Pick<Yard, 'secrets'>, row: DetectorTable): KeyObject {
  const kept = keys.get(row.name);
  if (kept?.settings === row.settings) return kept.key;
  const key = hookSecret(opened(yard, row).secret)!;
  keys.set(row.name, { settings: row.settings, key });
  return key;
}

function opened({ secrets }: Pick<Yard, 'secrets'>, { name, settings }: DetectorTable): Detector {
  return { name, ...(JSON.parse(secrets.open(settings, detectorSealContext(name))) as DetectorSettings) };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new Fault('malformed_request', { message: 'The body is not JSON.' });
  }
}
