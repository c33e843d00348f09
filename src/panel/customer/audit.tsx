// The audit log of the account. Older entries are loaded while scrolling.
import { Card, Group, Switch, Table, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { AuditEntry } from '#sdk/v2.ts';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { AuditResult, isFailure } from '../parts/audit-result.tsx';
import { LoadingLines, EmptyState, ErrorAlert } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { changeLabel, spellOut, targetLabel } from '../parts/operation-labels.ts';
import { Page } from '../parts/page.tsx';
import { LoadOlder } from '../parts/load-older.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';

const columns = ['Time', 'User', 'Action', 'Target', 'IP address', 'Result'];

export function AuditPage(): JSX.Element {
  const pages = usePages('auditGet', {});
  const [query, setQuery] = useState('');
  const [isFailedOnly, setFailedOnly] = useState(false);
  const findActor = useActors();
  const entries = pages.data?.pages.flat() ?? [];
  const visible = entries.filter(
    (entry) =>
      (!isFailedOnly || isFailure(entry.outcome)) &&
      searchText(entry, findActor(entry)).includes(query.trim().toLowerCase()),
  );
  return (
    <Page title="Audit log" description="Every change to this account: who made it, from where, and the result">
      <Group>
        <TextInput
          aria-label="Filter audit log"
          placeholder="Name, action, target or IP address"
          leftSection={<Icon name="search" size={16} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          w={{ base: '100%', xs: 340 }}
        />
        <Switch
          label="Failed only"
          checked={isFailedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
      </Group>
      {pages.isError && <ErrorAlert error={pages.error} retry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingLines lines={10} />}
      {pages.data !== undefined && visible.length === 0 && (
        <Card>
          <EmptyState icon="audit" title={entries.length === 0 ? 'No changes yet' : 'No entries match'}>
            {entries.length === 0
              ? 'Changes to the account appear here.'
              : 'Load older entries to search further back.'}
          </EmptyState>
        </Card>
      )}
      {visible.length > 0 && (
        <TableCard label="Audit log" columns={columns} minWidth={900}>
          {visible.map((entry) => (
            <Row key={entry.id} entry={entry} actor={findActor(entry)} />
          ))}
        </TableCard>
      )}
      {pages.data !== undefined && entries.length > 0 && <LoadOlder query={pages} />}
    </Page>
  );
}

function searchText(entry: AuditEntry, actor: Actor): string {
  const { operation, target, address, outcome, requestid } = entry;
  return [actor.name, actor.key, changeLabel(operation), targetLabel(target), address, spellOut(outcome), requestid]
    .join(' ')
    .toLowerCase();
}

function Row({ entry, actor }: { entry: AuditEntry; actor: Actor }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Timestamp at={entry.time} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {actor.name}
        </Text>
        {actor.key !== '' && (
          <Text size="xs" c="dimmed">
            {actor.key}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{changeLabel(entry.operation)}</Table.Td>
      <Table.Td className="wrap-anywhere">{targetLabel(entry.target)}</Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {entry.address}
        </Text>
      </Table.Td>
      <Table.Td>
        <AuditResult outcome={entry.outcome} />
      </Table.Td>
    </Table.Tr>
  );
}

interface Actor {
  readonly name: string;
  /** The API key that was used. */
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
    if (entry.contact === '') return { name: self.data?.contact === '' ? self.data.name : 'Account owner', key };
    const contact = contacts.data?.find(({ id }) => id === entry.contact);
    return {
      name: contact === undefined ? `Contact ${entry.contact}` : `${contact.firstname} ${contact.lastname}`,
      key,
    };
  };
}
