// Normalizes reports of detectors: from the hook, from FastNetMon's notify script, or from Redis.
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/schema';
import * as p from '#contract/parameters.ts';
import { addressText } from '#lib/addresses.ts';
import { invalid } from '#lib/api-error.ts';
import { figureNames, type Figures } from '#protocols/fastnetmon/figures.ts';
import { parseInformation } from '#protocols/fastnetmon/information.ts';
import { parseNotification } from '#protocols/fastnetmon/notification.ts';

export interface Detection {
  readonly detector: string;
  readonly action: 'start' | 'update' | 'end';
  /** Canonical form. */
  readonly address: string;
  /** The detector's id of the attack; empty if it has none. */
  readonly attack: string;
  /** When the detector saw it, in milliseconds. */
  readonly at: number;
  readonly direction: 'incoming' | 'outgoing';
  readonly protocol: string;
  /** The suspected kind of attack, such as udp_flood. */
  readonly filters: string;
  readonly packetsPerSecond: number;
  readonly bitsPerSecond: number;
  readonly figures: Figures;
  readonly sensor: { readonly type: string; readonly interface: string };
}

const noExtraFields = { additionalProperties: false };
const Count = p.Whole(0, Number.MAX_SAFE_INTEGER);
/** Since 1970, up to the year 9999. */
const Seconds = Type.Number({ minimum: 0, maximum: 253_402_300_799 });
/** No control characters: PostgreSQL cannot store NUL, and reports that are written together would fail together. */
const word = (max: number) =>
  Type.Optional(
    Type.String({
      maxLength: max,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      'x-reason': `must be at most ${max} characters, without control characters`,
    }),
  );
const Figure = Type.Object(Object.fromEntries(figureNames.map((name) => [name, Type.Optional(Count)])), noExtraFields);

const Report = Type.Object(
  {
    action: p.Choice('start', 'update', 'end'),
    address: p.IpAddress,
    attack: word(64),
    /** Defaults to the time of arrival. */
    at: Type.Optional(Seconds),
    direction: Type.Optional(p.Choice('incoming', 'outgoing')),
    protocol: word(32),
    kind: word(255),
    packetsPerSecond: Type.Optional(Count),
    bitsPerSecond: Type.Optional(Count),
    traffic: Type.Optional(Figure),
    sensor: word(32),
    interface: word(64),
  },
  noExtraFields,
);
/** What `hostyard detect` forwards: FastNetMon's arguments and text. */
const Handover = Type.Object(
  {
    fastnetmon: Type.Object(
      {
        address: p.IpAddress,
        direction: Type.String({ maxLength: 32 }),
        packetsPerSecond: Count,
        action: p.Choice('ban', 'attack_details', 'unban', 'partial_block'),
        text: Type.String({ maxLength: 200_000 }),
      },
      noExtraFields,
    ),
    at: Seconds,
  },
  noExtraFields,
);
/** Compiled with the first report, to keep the memory of sites without detectors low. */
const compile = () => ({ report: Compile(Report), handover: Compile(Handover) });
let validators: ReturnType<typeof compile> | undefined;
const checks = () => (validators ??= compile());

/** `body` is parsed JSON; rejects anything that is not a report. */
export function readReport(detector: string, body: unknown, now: number): Detection {
  if (checks().handover.Check(body)) return fromHandover(detector, body, now);
  if (!checks().report.Check(body)) throw invalid(validationErrors(body));
  const { action, address, attack = '', at, direction = 'incoming', traffic = {} } = body;
  const figures = traffic as Figures;
  const totals = totalsOf(figures, direction);
  return {
    detector,
    action,
    address: addressText(address)!,
    attack,
    at: reportTime(at, now),
    direction,
    protocol: body.protocol ?? '',
    filters: body.kind ?? '',
    packetsPerSecond: body.packetsPerSecond ?? totals.packetsPerSecond,
    bitsPerSecond: body.bitsPerSecond ?? totals.bitsPerSecond,
    figures,
    sensor: { type: body.sensor ?? 'hook', interface: body.interface ?? '' },
  };
}

const actions = { ban: 'start', partial_block: 'start', attack_details: 'update', unban: 'end' } as const;

function fromHandover(detector: string, { fastnetmon, at }: Static<typeof Handover>, now: number): Detection {
  const { attackType, protocol, peakPacketsPerSecond, figures } = parseNotification(fastnetmon.text);
  const direction = fastnetmon.direction === 'outgoing' ? 'outgoing' : 'incoming';
  return {
    detector,
    action: actions[fastnetmon.action],
    address: addressText(fastnetmon.address)!,
    attack: '',
    at: reportTime(at, now),
    direction,
    protocol: protocol ?? '',
    filters: attackType ?? '',
    packetsPerSecond: Math.max(fastnetmon.packetsPerSecond, peakPacketsPerSecond ?? 0),
    bitsPerSecond: totalsOf(figures, direction).bitsPerSecond,
    figures,
    sensor: { type: 'fastnetmon', interface: '' },
  };
}

/** Parses what FastNetMon stored in Redis, which has no time; returns undefined for anything else. */
export function readInformation(detector: string, text: string, now: number): Detection | undefined {
  const information = parseInformation(text);
  const address = addressText(information?.address ?? '');
  if (information === undefined || address === undefined) return undefined;
  const { figures } = information;
  const direction = (figures.s_total ?? 0) > (figures.d_total ?? 0) ? 'outgoing' : 'incoming';
  return {
    detector,
    action: information.action === 'unban' ? 'end' : 'start',
    address,
    attack: information.attack,
    at: now,
    direction,
    protocol: '',
    filters: '',
    ...totalsOf(figures, direction),
    figures,
    sensor: { type: 'fastnetmon', interface: '' },
  };
}

/** The address is the destination (d) of incoming traffic, and the source (s) of outgoing traffic. */
function totalsOf(figures: Figures, direction: Detection['direction']) {
  const side = direction === 'incoming' ? 'd' : 's';
  return { packetsPerSecond: figures[`${side}_total`] ?? 0, bitsPerSecond: figures[`${side}_totalbits`] ?? 0 };
}

/**
 * Reports may wait on disk while we are down, but not forever, and a detector's clock is never trusted to be ahead of
 * ours.
 */
const maxAgeMs = 7 * 86_400_000;
function reportTime(seconds: number | undefined, now: number): number {
  const at = seconds === undefined ? now : Math.min(now, Math.round(seconds * 1000));
  if (at < now - maxAgeMs) throw invalid({ at: 'must be within the last seven days' });
  return at;
}

function validationErrors(body: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { instancePath, params, message } of checks().report.Errors(body)[1]) {
    const missing = (params as { requiredProperties?: string[] }).requiredProperties;
    const path = instancePath.slice(1).replaceAll('/', '.');
    if (missing !== undefined)
      for (const name of missing) errors[path === '' ? name : `${path}.${name}`] = 'is missing';
    else errors[path === '' ? 'body' : path] ??= message;
  }
  return errors;
}
