// How long to wait for each device: the waits of its model in the site file, and its own. A limit around another one follows
// it, so that raising one is enough.
import { Type } from 'typebox';
import { SiteModel, type SiteWaits } from '#contract/site/waits.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

export interface Waits {
  /** Of one request; undefined for the driver's default. */
  readonly responseMs: number | undefined;
  /** Of a command. By default, an API caller hears of an unresponsive device within ten seconds. */
  readonly commandMs: number;
  /** Of a check in the background. */
  readonly checkMs: number;
  /** Until it responds after a restart. */
  readonly restartMs: number;
  /** Until it fetches an image. */
  readonly mediaMs: number;
  /** Of reading all ports. */
  readonly pollMs: number;
}

/** Later ones take precedence. */
export function resolveWaits(...waits: readonly (SiteWaits | undefined)[]): Waits {
  const {
    responseSeconds,
    commandSeconds = Math.max(8, 2 * (responseSeconds ?? 0)),
    restartSeconds = 120,
    mediaSeconds = 15,
    pollSeconds = Math.max(20, 2 * (responseSeconds ?? 0)),
  }: SiteWaits = Object.assign({}, ...waits);
  const commandMs = Math.max(commandSeconds, responseSeconds ?? 0) * 1000;
  return {
    responseMs: responseSeconds === undefined ? undefined : responseSeconds * 1000,
    commandMs,
    checkMs: commandMs / 2,
    restartMs: restartSeconds * 1000,
    mediaMs: mediaSeconds * 1000,
    pollMs: pollSeconds * 1000,
  };
}

export const defaultWaits = resolveWaits();
/** For finding out how long a device takes. */
export const longestWaits = resolveWaits({ responseSeconds: 25, commandSeconds: 50 });

const models = metaEntry('models', Type.Array(SiteModel));

/** The settings of a device that concern its waits. */
export interface DeviceModel {
  readonly model?: string;
  readonly waits?: SiteWaits;
  /** SNMP: of one of three attempts. */
  readonly timeoutMs?: number;
}
export async function waitsOf(queries: Queries, { model, waits, timeoutMs }: DeviceModel): Promise<Waits> {
  const ofModel = (await models.find(queries))?.find(({ name }) => name === model)?.waits;
  const responseSeconds = Math.ceil((3 * (timeoutMs ?? 0)) / 1000);
  return resolveWaits(
    ofModel,
    timeoutMs === undefined ? {} : { responseSeconds: Math.min(25, responseSeconds) },
    waits,
  );
}

/** Returns the names of the models whose waits have changed. */
export async function storeModels(queries: Queries, wanted: readonly SiteModel[]): Promise<ReadonlySet<string>> {
  const texts = (list: readonly SiteModel[]) => new Map(list.map((model) => [model.name, JSON.stringify(model)]));
  const [before, after] = [texts((await models.find(queries)) ?? []), texts(wanted)];
  await models.put(queries, wanted);
  return new Set([...before.keys(), ...after.keys()].filter((name) => before.get(name) !== after.get(name)));
}
