// The audit log of the account. Older entries are loaded while scrolling.
import { Group, Switch } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { AuditEntry } from '#sdk/v2.ts';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { isFailedSignIn, withoutFinishedStarts } from '../parts/audit-entries.ts';
import { AuditResult, isFailure } from '../parts/audit-result.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { FilterInput } from '../parts/filter-input.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { changeLabel, spellOut, targetLabel } from '../parts/operation-labels.ts';
import { Page } from '../parts/page.tsx';
import { LoadOlder } from '../parts/load-older.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';

interface Entry extends AuditEntry {
  readonly actor: Actor;
}
const columns: readonly Column<Entry>[] = [
  { label: 'Time', isOneLine: true, cell: ({ time }) => <Timestamp at={time} /> },
  {
    label: 'User',
    isOneLine: true,
    cell: ({ actor }) => (
      <>
        {actor.name}
        {actor.key !== '' && <Dimmed size="xs">{actor.key}</Dimmed>}
      </>
    ),
  },
  { label: 'Action', cell: ({ operation }) => changeLabel(operation) },
  { label: 'Target', className: 'wrap-anywhere', cell: ({ target }) => targetLabel(target) },
  { label: 'IP address', ff: 'monospace', cell: ({ address }) => address },
  { label: 'Result', cell: ({ outcome }) => <AuditResult outcome={outcome} /> },
];

export function AuditPage(): JSX.Element {
  const log = usePages('auditGet', {});
  const [query, setQuery] = useState('');
  const [isFailedOnly, setFailedOnly] = useState(false);
  const findActor = useActors();
  const matches = (entry: Entry): boolean =>
    (!isFailedOnly || isFailure(entry.outcome)) && searchText(entry).includes(query.trim().toLowerCase());
  return (
    <Page title="Audit log" description="Every change to this account: who made it, from where, and the result">
      <Group>
        <FilterInput
          label="Filter audit log"
          placeholder="Name, action, target or IP address"
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
            .map((entry) => ({ ...entry, actor: findActor(entry) }))
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

function searchText({ actor, operation, target, address, outcome, requestid }: Entry): string {
  return [actor.name, actor.key, changeLabel(operation), targetLabel(target), address, spellOut(outcome), requestid]
    .join(' ')
    .toLowerCase();
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
    if (entry.operator !== '') return { name: `Staff: ${entry.operator}`, key: '' };
    const keyName = keys.data?.find(({ id }) => id === entry.key)?.name ?? entry.key;
    const key = keyName === '' ? '' : `Key ${keyName}`;
    const name = nameOf(entry.contact);
    return isFailedSignIn(entry) ? { name: 'Not signed in', key: `As ${name}` } : { name, key };
  };

  function nameOf(contactId: string): string {
    if (contactId === '') return self.data?.contact === '' ? self.data.name : 'Account owner';
    const contact = contacts.data?.find(({ id }) => id === contactId);
    return contact === undefined ? `Contact ${contactId}` : `${contact.firstname} ${contact.lastname}`;
  }
}
