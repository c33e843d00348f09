// The audit log of the account. Older entries are loaded while scrolling.
import { Group, Switch } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { AuditEntry } from '#sdk/v2.ts';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { auditSentence, type NameOf } from '../parts/audit-sentences.ts';
import { isFailedSignIn, withoutFinishedStarts } from '../parts/audit-entries.ts';
import { AuditResult, isFailure } from '../parts/audit-result.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { FilterInput } from '../parts/filter-input.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { changeLabel, spellOut, targetLabel } from '../parts/operation-labels.ts';
import { Page } from '../parts/page.tsx';
import { RawDetails } from '../parts/raw-details.tsx';
import { LoadOlder } from '../parts/load-older.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';

interface Entry extends AuditEntry {
  readonly actor: Actor;
  readonly sentence: string;
  /** As recorded. */
  readonly entry: AuditEntry;
}
const columns: readonly Column<Entry>[] = [
  { label: 'Time', isOneLine: true, cell: ({ time }) => <Timestamp at={time} /> },
  {
    label: 'What happened',
    className: 'wrap-anywhere',
    cell: ({ actor, sentence }) => (
      <>
        {sentence}
        {actor.key !== '' && <Dimmed size="xs">{actor.key}</Dimmed>}
      </>
    ),
  },
  { label: 'From', ff: 'monospace', isOneLine: true, cell: ({ address }) => address },
  { label: 'Result', cell: ({ outcome }) => <AuditResult outcome={outcome} /> },
  {
    label: 'More',
    width: 1,
    cell: ({ sentence, entry }) => <RawDetails title={sentence} details={entry} />,
  },
];

export function AuditPage(): JSX.Element {
  const log = usePages('auditGet', {});
  const [query, setQuery] = useState('');
  const [isFailedOnly, setFailedOnly] = useState(false);
  const findActor = useActors();
  const nameOf = useThingNames();
  const describe = (entry: AuditEntry): Entry => {
    const actor = findActor(entry);
    const text = auditSentence(entry, actor.name, nameOf) ?? `${actor.name}: ${changeLabel(entry.operation)}`;
    const sentence = isFailure(entry.outcome) ? `Failed attempt: ${text}` : text;
    return { ...entry, actor, sentence, entry };
  };
  const matches = (entry: Entry): boolean =>
    (!isFailedOnly || isFailure(entry.outcome)) && searchText(entry).includes(query.trim().toLowerCase());
  return (
    <Page title="Audit log" description="Every change to this account: who made it, from where, and the result">
      <Group>
        <FilterInput
          label="Filter audit log"
          placeholder="Name, server, zone or IP address"
          value={query}
          onChange={setQuery}
        />
        <Switch
          label="Failed only"
          checked={isFailedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
      </Group>
      <QueryResult query={log} lines={10} empty={noChanges}>
        {(all) => {
          const rows = withoutFinishedStarts(all)
            .map((entry) => describe(entry))
            .filter(matches);
          return (
            <>
              {rows.length === 0 ? (
                noMatches
              ) : (
                <TableCard label="Audit log" columns={columns} rows={rows} rowKey={({ id }) => id} minWidth={900} />
              )}
              <LoadOlder query={log} />
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}

const noChanges = (
  <EmptyCard icon="audit" title="No changes yet">
    Changes to the account appear here.
  </EmptyCard>
);
const noMatches = (
  <EmptyCard icon="audit" title="No entries match">
    Load older entries to search further back.
  </EmptyCard>
);

function searchText({ actor, sentence, operation, target, address, outcome, requestid }: Entry): string {
  const texts = [sentence, actor.key, changeLabel(operation), targetLabel(target), address, spellOut(outcome)];
  return [...texts, requestid].join(' ').toLowerCase();
}

/** Returns the names of servers, zones and people, as far as the user may see them. */
function useThingNames(): NameOf {
  const scopeDenial = useScopeDenial();
  const isAllowed = (scope: Parameters<typeof scopeDenial>[0]) => ({ enabled: scopeDenial(scope) === undefined });
  const devices = useRead('deviceList', {}, isAllowed('device:read'));
  const zones = useRead('zoneList', {}, isAllowed('dns:read'));
  const contacts = useRead('contactGet', {}, isAllowed('account:read'));
  const keys = useRead('keyGet', {}, isAllowed('account:keys'));
  return (thing, id) => {
    switch (thing) {
      case 'service':
        return devices.data?.find(({ service }) => String(service) === id)?.hostname;
      case 'zone':
        return zones.data?.find(({ domain_id }) => domain_id === id)?.name;
      case 'contact': {
        const contact = contacts.data?.find((candidate) => candidate.id === id);
        return contact && `${contact.firstname} ${contact.lastname}`;
      }
      case 'key': {
        const key = keys.data?.find((candidate) => candidate.id === id);
        return key && `the API key “${key.name}”`;
      }
      default:
        return undefined;
    }
  };
}

interface Actor {
  readonly name: string;
  /** The API key that was used, or whom a person claimed to be. */
  readonly key: string;
}

/** Returns the names of people and keys, or their IDs if the user may not see them. */
function useActors(): (entry: AuditEntry) => Actor {
  const scopeDenial = useScopeDenial();
  const contacts = useRead('contactGet', {}, { enabled: scopeDenial('account:read') === undefined });
  const keys = useRead('keyGet', {}, { enabled: scopeDenial('account:keys') === undefined });
  const self = useRead('sessionGet', {});
  return (entry) => {
    if (entry.operator !== '') return { name: `${entry.operator} (support)`, key: '' };
    const keyName = keys.data?.find(({ id }) => id === entry.key)?.name ?? entry.key;
    const key = keyName === '' ? '' : `Key ${keyName}`;
    const name = nameOf(entry.contact);
    return isFailedSignIn(entry) ? { name: 'Someone', key: `Not signed in, as ${name}` } : { name, key };
  };

  function nameOf(contactId: string): string {
    if (contactId === '') return self.data?.contact === '' ? self.data.name : 'Account owner';
    const contact = contacts.data?.find(({ id }) => id === contactId);
    return contact === undefined ? `Contact ${contactId}` : `${contact.firstname} ${contact.lastname}`;
  }
}
