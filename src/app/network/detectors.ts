// Authenticates detectors that report attacks.
import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import { isHookGenuine, hookSecret, type HookReport } from '#lib/hook-signature.ts';
import { detectorFind, detectorList, detectorSettings, type DetectorSettings } from '#store/network/detectors.ts';
import type { Queries } from '#store/store.ts';
import { readReport, type Detection } from './detection.ts';
import { detectorSealContext } from '../site/attacks.ts';
import type { App } from '../app.ts';
import type { DetectorTable } from '#store/network/tables.ts';

export interface Detector extends DetectorSettings {
  readonly name: string;
}

export async function listDetectors(app: Pick<App, 'secrets'>, queries: Queries): Promise<Detector[]> {
  return (await detectorList(queries)).map((row) => openDetector(app, row));
}

/**
 * Returns a reader for reports over HTTP. An unknown detector and a bad signature get the same response. Because
 * reports come in bursts, a detector's key is cached until its settings change, and concurrent reports share one
 * query.
 */
export function createReportReader(app: App): (report: HookReport) => Promise<Detection> {
  const keys = new Map<string, { readonly settings: string; readonly key: KeyObject }>();
  const pendingQueries = new Map<string, Promise<DetectorTable | undefined>>();

  /** Deferred to the next turn, so that nobody shares a result from before their request. */
  function detector(name: string): Promise<DetectorTable | undefined> {
    const query = pendingQueries.get(name) ?? nextTurn().then(() => find(name));
    pendingQueries.set(name, query);
    return query;
  }

  function find(name: string): Promise<DetectorTable | undefined> {
    pendingQueries.delete(name);
    return detectorFind(app.store.queries, name);
  }

  function keyOf(row: DetectorTable): KeyObject {
    const cached = keys.get(row.name);
    if (cached?.settings === row.settings) return cached.key;
    const key = hookSecret(openDetector(app, row).secret)!;
    keys.set(row.name, { settings: row.settings, key });
    return key;
  }

  return async ({ name, headers, body }) => {
    const now = app.clock.now();
    const row = await detector(name);
    if (row === undefined || !isHookGenuine(keyOf(row), headers, body, now))
      throw new ApiError('unauthenticated', {
        message: 'The report is not signed with the secret of a known detector.',
      });
    return readReport(name, parseBody(body), now);
  };
}

function openDetector({ secrets }: Pick<App, 'secrets'>, { name, settings }: DetectorTable): Detector {
  return { name, ...detectorSettings.decode(secrets.open(settings, detectorSealContext(name))) };
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new ApiError('malformed_request', { message: 'The body is not valid JSON.' });
  }
}
