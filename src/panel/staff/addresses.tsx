// The plan of addresses: the provider's blocks as a tree, who has what of them, and how full each is.
import { ActionIcon, Badge, Card, Group, Progress, Table, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages } from '../data/staff-pages.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { found, planRows, unfolded, type Block, type PlanRow } from './addresses/plan-rows.ts';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { More } from './parts/more.tsx';
import { SearchBar } from './parts/search-bar.tsx';

const lookMs = 30_000;
const length = 500;
const columns = ['Block', 'Who has it', 'Service', 'Used', 'Largest free', 'Gateway'];
const pools: Readonly<Record<Exclude<Block['pool'], ''>, string>> = { assign: 'Pool', ask: 'Pool, on request' };

export function AddressesPage(): JSX.Element {
  const blocks = useStaffPages('netblockList', {}, { everyMs: lookMs, length });
  const [search, setSearch] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (cidr: string): void =>
    setFolded((before) =>
      before.has(cidr) ? new Set([...before].filter((one) => one !== cidr)) : new Set([...before, cidr]),
    );
  return (
    <Page title="Address plan" about="The provider’s blocks, who has what of them, and what is free.">
      <SearchBar label="Search blocks" placeholder="Address, customer or service number…" onSearch={setSearch} />
      <Answer of={blocks} lines={8}>
        {(all) => {
          const rows = found(planRows(all), search);
          if (rows.length === 0)
            return (
              <Card>
                <Empty icon="address" title={search === '' ? 'No blocks yet' : 'No such block'}>
                  {search === '' && 'Blocks of the provider stand in the site file.'}
                </Empty>
              </Card>
            );
          return (
            <TableCard label="Address plan" columns={columns} minWidth={880}>
              {unfolded(rows, folded).map((row) => (
                <BlockRow key={row.block.cidr} row={row} isFolded={folded.has(row.block.cidr)} fold={fold} />
              ))}
            </TableCard>
          );
        }}
      </Answer>
      <More of={blocks} />
    </Page>
  );
}

interface BlockRowProps {
  readonly row: PlanRow;
  readonly isFolded: boolean;
  readonly fold: (cidr: string) => void;
}

function BlockRow({ row: { block, depth, below }, isFolded, fold }: BlockRowProps): JSX.Element {
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6} wrap="nowrap" pl={depth * 22}>
          {below > 0 ? (
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-expanded={!isFolded}
              aria-label={`${isFolded ? 'Show' : 'Hide'} the ${below} in ${block.cidr}`}
              onClick={() => fold(block.cidr)}
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
          <Badge variant="light" tt="none" color="yard">
            {pools[block.pool]}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>
        <ServiceLink service={block.service} />
      </Table.Td>
      <Table.Td w={180}>{block.account === '' && <Use of={block} />}</Table.Td>
      <Table.Td ff="monospace">{block.account === '' ? block.free || 'none' : ''}</Table.Td>
      <Table.Td ff="monospace">{block.gateway}</Table.Td>
    </Table.Tr>
  );
}

function Use({ of: { cidr, used } }: { of: Block }): JSX.Element {
  const percent = Number(used);
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={percent}
        flex={1}
        size="sm"
        color={percent >= 90 ? 'red' : percent >= 75 ? 'orange' : 'yard'}
        aria-label={`Used of ${cidr}`}
      />
      <Text size="xs" className="numbers" w={58} ta="right">
        {used} %
      </Text>
    </Group>
  );
}
