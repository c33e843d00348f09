// The provider's IP address blocks as a tree, with their assignments and utilization.
import { ActionIcon, Badge, Card, Group, Progress, Table, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { searchRows, addressTreeRows, visibleRows, type Block, type AddressTreeRow } from './addresses/address-tree.ts';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { SearchBar } from './parts/search-bar.tsx';

const refetchMs = 30_000;
const pageLength = 500;
const columns = ['Block', 'Assigned to', 'Service', 'Used', 'Largest free', 'Gateway'];
const poolNames: Readonly<Record<Exclude<Block['pool'], ''>, string>> = { assign: 'Pool', ask: 'Pool, on request' };

export function AddressesPage(): JSX.Element {
  const blocks = useStaffPages('netblockList', {}, { refetchMs, length: pageLength });
  const [search, setSearch] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (cidr: string): void =>
    setFolded((current) =>
      current.has(cidr) ? new Set([...current].filter((other) => other !== cidr)) : new Set([...current, cidr]),
    );
  return (
    <Page title="IP addresses" description="Address blocks, their assignments and free space">
      <SearchBar label="Search blocks" placeholder="Address, customer or service number…" onSearch={setSearch} />
      <QueryResult query={blocks} lines={8}>
        {(all) => {
          const rows = searchRows(addressTreeRows(all), search);
          if (rows.length === 0)
            return (
              <Card>
                <EmptyState icon="address" title={search === '' ? 'No blocks yet' : 'No results'}>
                  {search === '' && 'Add address blocks to the site file.'}
                </EmptyState>
              </Card>
            );
          return (
            <TableCard label="IP addresses" columns={columns} minWidth={880}>
              {visibleRows(rows, folded).map((row) => (
                <BlockRow key={row.block.cidr} row={row} isFolded={folded.has(row.block.cidr)} toggle={toggle} />
              ))}
            </TableCard>
          );
        }}
      </QueryResult>
      <ShowMore list={blocks} />
    </Page>
  );
}

interface BlockRowProps {
  readonly row: AddressTreeRow;
  readonly isFolded: boolean;
  readonly toggle: (cidr: string) => void;
}

function BlockRow({ row: { block, depth, descendants }, isFolded, toggle }: BlockRowProps): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6} wrap="nowrap" pl={depth * 22}>
          {descendants > 0 ? (
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-expanded={!isFolded}
              aria-label={`${isFolded ? 'Show' : 'Hide'} ${descendants} blocks in ${block.cidr}`}
              onClick={() => toggle(block.cidr)}
            >
              <span aria-hidden="true">{isFolded ? '▸' : '▾'}</span>
            </ActionIcon>
          ) : (
            <span style={{ width: 22, flex: 'none' }} />
          )}
          <Text size="sm" ff="monospace" fw={block.account === '' ? 600 : 400}>
            {block.cidr}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td>
        {block.account !== '' ? (
          <CustomerLink account={block.account} />
        ) : block.pool === '' ? (
          'Provider'
        ) : (
          <Badge variant="light" tt="none" color="brand">
            {poolNames[block.pool]}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>
        <ServiceLink service={block.service} />
      </Table.Td>
      <Table.Td w={180}>{block.account === '' && <Utilization block={block} />}</Table.Td>
      <Table.Td ff="monospace">{block.account === '' ? block.free || 'none' : ''}</Table.Td>
      <Table.Td ff="monospace">{block.gateway}</Table.Td>
    </Table.Tr>
  );
}

function Utilization({ block: { cidr, used } }: { block: Block }): JSX.Element {
  const percent = Number(used);
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={percent}
        flex={1}
        size="sm"
        color={percent >= 90 ? 'red' : percent >= 75 ? 'orange' : 'brand'}
        aria-label={`Utilization of ${cidr}`}
      />
      <Text size="xs" className="numbers" w={58} ta="right">
        {used} %
      </Text>
    </Group>
  );
}
