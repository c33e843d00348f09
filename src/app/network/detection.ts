// What a detector says, in our words: from its own report over the hook, from FastNetMon's notify script, or from redis.
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/schema';
import * as p from '#contract/parameters.ts';
import { addressText } from '#kernel/addresses.ts';
import { invalid } from '#kernel/fault.ts';
import { figureNames, type Figures } from '#wire/fastnetmon/figures.ts';
import { parseInformation } from '#wire/fastnetmon/information.ts';
import { parseNotification } from '#wire/fastnetmon/notification.ts';

export interface Detection {
  readonly detector: string;
  readonly action: 'start' | 'update' | 'end';
  /** In one spelling. */
  readonly address: string;
  /** The detector's name for the attack; empty where it has none. */
  readonly attack: string;
  /** When the detector saw it, in milliseconds. */
  readonly at: number;
  readonly direction: 'incoming' | 'outgoing';
  readonly protocol: string;
  /** What kind of attack it is taken for, such as udp_flood. */
  readonly filters: string;
  readonly packetsPerSecond: number;
  readonly bitsPerSecond: number;
  readonly figures: Figures;
  readonly sensor: { readonly type: string; readonly interface: string };
}

const closed = { additionalProperties: false };
const Count = p.Whole(0, Number.MAX_SAFE_INTEGER);
/** No control characters: PostgreSQL keeps no NUL, and reports that are written together would fail together. */
const word = (max: number) =>
  Type.Optional(
    Type.String({
      maxLength: max,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      'x-reason': `must be at most ${max} characters, none of them a control character`,
    }),
  );
const Direction = p.Choice('incoming', 'outgoing');
const Figure = Type.Object(Object.fromEntries(figureNames.map((name) => [name, Type.Optional(Count)])), closed);

const Report = Type.Object(
  {
    action: p.Choice('start', 'update', 'end'),
    address: p.IpAddress,
    attack: word(64),
    /** Seconds since 1970; when it arrives unless told. */
    at: Type.Optional(Type.Number({ minimum: 0, maximum: 253_402_300_799 })),
    direction: Type.Optional(Direction),
    protocol: word(32),
    kind: word(255),
    packetsPerSecond: Type.Optional(Count),
    bitsPerSecond: Type.Optional(Count),
    traffic: Type.Optional(Figure),
    sensor: word(32),
    interface: word(64),
  },
  closed,
);
/** What `hostyard detect` hands over: the arguments and the text that FastNetMon gave it. */
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
      closed,
    ),
    at: Type.Number({ minimum: 0, maximum: 253_402_300_799 }),
  },
  closed,
);
type Handover = Static<typeof Handover>;
/** Compiled when the first report comes: a site without detectors does without. */
const compile = () => ({ report: Compile(Report), handover: Compile(Handover) });
let compiled: ReturnType<typeof compile> | undefined;
const checks = () => (compiled ??= compile());

/** `body` is JSON; a Fault where it is no report. */
export function readReport(detector: string, body: unknown, now: number): Detection {
  if (checks().handover.Check(body)) return handedOver(detector, body, now);
  if (!checks().report.Check(body)) throw invalid(reasons(body));
  const { action, address, attack = '', at, direction = 'incoming', traffic = {} } = body;
  const figures = traffic as Figures;
  const side = direction === 'incoming' ? 'd' : 's';
  return {
    detector,
    action,
    address: addressText(address)!,
    attack,
    at: momentOf(at, now),
    direction,
    protocol: body.protocol ?? '',
    filters: body.kind ?? '',
    packetsPerSecond: body.packetsPerSecond ?? figures[`${side}_total`] ?? 0,
    bitsPerSecond: body.bitsPerSecond ?? figures[`${side}_totalbits`] ?? 0,
    figures,
    sensor: { type: body.sensor ?? 'hook', interface: body.interface ?? '' },
  };
}

const actions = { ban: 'start', partial_block: 'start', attack_details: 'update', unban: 'end' } as const;

function handedOver(detector: string, { fastnetmon, at }: Handover, now: number): Detection {
  const { attackType, protocol, peakPacketsPerSecond, figures } = parseNotification(fastnetmon.text);
  const direction = fastnetmon.direction === 'outgoing' ? 'outgoing' : 'incoming';
  return {
    detector,
    action: actions[fastnetmon.action],
    address: addressText(fastnetmon.address)!,
    attack: '',
    at: momentOf(at, now),
    direction,
    protocol: protocol ?? '',
    filters: attackType ?? '',
    packetsPerSecond: Math.max(fastnetmon.packetsPerSecond, peakPacketsPerSecond ?? 0),
    bitsPerSecond: figures[direction === 'incoming' ? 'd_totalbits' : 's_totalbits'] ?? 0,
    figures,
    sensor: { type: 'fastnetmon', interface: '' },
  };
}

/** What FastNetMon left in redis; undefined where it is nothing of the kind. It does not say when: now. */
export function readInformation(detector: string, text: string, now: number): Detection | undefined {
  const told = parseInformation(text);
  const address = addressText(told?.address ?? '');
  if (told === undefined || address === undefined) return undefined;
  const { figures } = told;
  const direction = (figures.s_total ?? 0) > (figures.d_total ?? 0) ? 'outgoing' : 'incoming';
  const side = direction === 'incoming' ? 'd' : 's';
  return {
    detector,
    action: told.action === 'unban' ? 'end' : 'start',
    address,
    attack: told.attack,
    at: now,
    direction,
    protocol: '',
    filters: '',
    packetsPerSecond: figures[`${side}_total`] ?? 0,
    bitsPerSecond: figures[`${side}_totalbits`] ?? 0,
    figures,
    sensor: { type: 'fastnetmon', interface: '' },
  };
}

/** Reports wait on disk while we are away, but not for ever; and no clock of a detector is believed to be ahead of ours. */
const oldestMs = 7 * 86_400_000;
function momentOf(seconds: number | undefined, now: number): number {
  const at = seconds === undefined ? now : Math.min(now, Math.round(seconds * 1000));
  if (at < now - oldestMs) throw invalid({ at: 'must lie within the last seven days' });
  return at;
}

function reasons(body: unknown): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { instancePath, params, message } of checks().report.Errors(body)[1]) {
    const named = (params as { requiredProperties?: string[] }).requiredProperties;
    const path = instancePath.slice(1).replaceAll('/', '.');
    if (named !== undefined) for (const name of named) faults[path === '' ? name : `${path}.${name}`] = 'is missing';
    else faults[path === '' ? 'body' : path] ??= message;
  }
  return faults;
}
