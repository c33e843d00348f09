// Reads the event log over Redfish. Services list entries with the oldest or the newest first, with their content or as links,
// and number them anew when the log is cleared: an entry is recognized by number, time and text.
import type { LogSeverity } from '#contract/shapes/sensors.ts';
import { sha256Hex } from '#lib/secrets.ts';
import { missingCapability, type Log, type NewLogEntry } from '../driver.ts';
import type { Resource } from './client.ts';
import { withApiErrors } from './error.ts';
import { orUnreadable } from './inventory.ts';
import { getLink, getObjects, getText, type Json } from './json.ts';
import { cachedResource, type RedfishService } from './service.ts';

const maxEntries = 1000;
const entriesPerRead = 100;
/** Before their clock is set, services report times shortly after 1970. */
const firstRealTime = Date.UTC(2000, 0);
/** Logs of hardware events, by the names that makers give them, the best first. */
const hardwareLogs = [/^(?:sel|iml)$/i, /^event/i, /log1$/i];
const otherLogs = /audit|journal|dump|postcode|lclog|iel|hostlogger|security|telemetry/i;

export function createLog(service: RedfishService): Log {
  const { client } = service;

  async function findEntries(signal: AbortSignal): Promise<string> {
    const owners = [(await service.system(signal)).body, (await service.manager(signal))?.body ?? {}];
    const found: { readonly id: string; readonly type: string; readonly entries: string }[] = [];
    for (const owner of owners) {
      const members = await orUnreadable(service.members(getLink(owner, 'LogServices'), signal));
      for (const { body } of members ?? []) {
        const entries = getLink(body, 'Entries');
        const id = getText(body, 'Id') ?? '';
        if (entries !== undefined) found.push({ id, type: getText(body, 'LogEntryType') ?? '', entries });
      }
    }
    const rank = ({ id, type }: { id: string; type: string }): number => {
      if (type === 'SEL') return 0;
      const index = hardwareLogs.findIndex((pattern) => pattern.test(id));
      if (index >= 0) return index;
      return otherLogs.test(id) ? Number.POSITIVE_INFINITY : hardwareLogs.length;
    };
    const [best] = found.filter((log) => Number.isFinite(rank(log))).toSorted((one, other) => rank(one) - rank(other));
    if (best === undefined) throw missingCapability('log');
    return best.entries;
  }
  const firstPage = cachedResource(client, async (signal) => client.get(await findEntries(signal), signal));

  async function listMembers(first: Resource, signal: AbortSignal): Promise<Json[]> {
    const members: Json[] = [];
    for (let page = first.body, pages = 1; ; pages++) {
      members.push(...getObjects(page, 'Members'));
      const next = getText(page, 'Members@odata.nextLink');
      if (next === undefined || members.length + pages > maxEntries) return members;
      page = (await client.get(next, signal)).body;
    }
  }

  /** Returns undefined for an entry that is gone in the meantime. */
  async function readEntry(member: Json, signal: AbortSignal): Promise<Json | undefined> {
    const path = getText(member, '@odata.id');
    if (getText(member, 'Message') !== undefined || getText(member, 'Created') !== undefined || path === undefined)
      return member;
    return (await orUnreadable(client.get(path, signal)))?.body;
  }

  /** Returns the entries that are newer than the known one, the newest first; only the newest if none is known. */
  async function readNewer(after: string | undefined, signal: AbortSignal): Promise<Json[]> {
    const members = await listMembers(await firstPage(signal), signal);
    if (members.length === 0) return [];
    const [first, last] = [await readEntry(members[0]!, signal), await readEntry(members.at(-1)!, signal)];
    const newestFirst =
      first !== undefined && last !== undefined && isNewer(first, last) ? members : members.toReversed();
    const newer: Json[] = [];
    for (const member of newestFirst) {
      const entry = await readEntry(member, signal);
      if (entry === undefined) continue;
      if (keyOf(entry) === after) break;
      newer.push(entry);
      if (after === undefined) break;
    }
    return newer;
  }

  return withApiErrors<Log>('log', {
    async read(after, signal) {
      const newer = (await readNewer(after, signal)).reverse();
      if (after === undefined)
        return { entries: [], position: newer[0] === undefined ? '' : keyOf(newer[0]), hasMore: false };
      const taken = newer.slice(0, entriesPerRead);
      const position = taken.at(-1);
      return {
        entries: taken.map(describeEntry),
        position: position === undefined ? after : keyOf(position),
        hasMore: newer.length > taken.length,
      };
    },
  });
}

function isNewer(one: Json, other: Json): boolean {
  const [created, otherCreated] = [createdAt(one), createdAt(other)];
  if (created !== otherCreated) return created > otherCreated;
  return Number(getText(one, 'Id')) > Number(getText(other, 'Id'));
}

function createdAt(entry: Json): number {
  return Date.parse(getText(entry, 'Created') ?? '') || 0;
}

function keyOf(entry: Json): string {
  const text = [getText(entry, 'Id'), getText(entry, 'Created'), getText(entry, 'Message')].join('\n');
  return sha256Hex(text).slice(0, 32);
}

const severities: Readonly<Record<string, LogSeverity>> = { Warning: 'warning', Critical: 'critical' };

function describeEntry(entry: Json): NewLogEntry {
  const at = createdAt(entry);
  return {
    at: at >= firstRealTime ? at : undefined,
    severity: severities[getText(entry, 'Severity') ?? ''] ?? 'ok',
    text: getText(entry, 'Message') ?? getText(entry, 'EntryCode') ?? getText(entry, 'Name') ?? 'Entry without text',
  };
}
