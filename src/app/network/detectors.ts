// Who may report attacks, and the proof that a report is theirs.
import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import { hookIsGenuine, hookSecret, type HookHeaders } from '#kernel/hook-signature.ts';
import { detectorFind, detectorList, type DetectorTable } from '#store/network/detectors.ts';
import type { Queries } from '#store/store.ts';
import { readReport, type Detection } from './detection.ts';
import { detectorSealContext, type DetectorSettings } from '../site/attacks.ts';
import type { Yard } from '../yard.ts';

export interface Detector extends DetectorSettings {
  readonly name: string;
}

export async function detectorsAll(yard: Pick<Yard, 'secrets'>, queries: Queries): Promise<Detector[]> {
  return (await detectorList(queries)).map((row) => opened(yard, row));
}

export type HookReport = (name: string, headers: HookHeaders, body: Buffer) => Promise<Detection>;

/** Reads reports that came over HTTP. A detector that is not known and a bad signature get the same answer. Reports come in
 * bursts: the key of a detector is made once for as long as its settings stand, and those that arrive together ask once for
 * them. */
export function hookReports(yard: Yard): HookReport {
  const keys = new Map<string, { readonly settings: string; readonly key: KeyObject }>();
  const asked = new Map<string, Promise<DetectorTable | undefined>>();

  /** Asked after the last who shares the answer has come, so that nobody gets one from before his time. */
  function detector(name: string): Promise<DetectorTable | undefined> {
    const found = asked.get(name) ?? nextTurn().then(() => find(name));
    asked.set(name, found);
    return found;
  }

  function find(name: string): Promise<DetectorTable | undefined> {
    asked.delete(name);
    return detectorFind(yard.store.queries, name);
  }

  function keyOf(row: DetectorTable): KeyObject {
    const kept = keys.get(row.name);
    if (kept?.settings === row.settings) return kept.key;
    const key = hookSecret(opened(yard, row).secret)!;
    keys.set(row.name, { settings: row.settings, key });
    return key;
  }

  return async (name, headers, body) => {
    const now = yard.clock.now();
    const row = await detector(name);
    if (row === undefined || !hookIsGenuine(keyOf(row), headers, body, now))
      throw new Fault('unauthenticated', { message: 'The report is not signed as a detector of ours would sign it.' });
    return readReport(name, parsed(body), now);
  };
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
