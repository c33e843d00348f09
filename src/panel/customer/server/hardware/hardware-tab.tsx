// The hardware inventory of a server, as reported by its BMC and the provider, and its switch ports.
import { Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { rateText } from '../../../parts/traffic-units.ts';
import { QueryResult, EmptyState } from '../../../parts/query-result.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { TableCard } from '../../../parts/table-card.tsx';
import { SectionCard } from '../section-card.tsx';
import { groupIdentical } from './group-identical.ts';

export function HardwareTab({ service }: { service: string }): JSX.Element {
  const hardware = useRead('deviceHardwareGet', { service });
  return (
    <QueryResult query={hardware} lines={8}>
      {({ parts, ports }) => {
        const present = Object.entries(parts).filter(([, texts]) => texts.length > 0);
        const switchPorts = Object.entries(ports).flatMap(([device, portsByName]) =>
          Object.entries(portsByName).map(([name, port]) => ({ device, name, port })),
        );
        return (
          <Stack>
            {present.length === 0 && (
              <EmptyState icon="server" title="No hardware information">
                Neither IPMI nor the provider has reported any components.
              </EmptyState>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {present.map(([category, texts]) => (
                <ComponentCard key={category} category={category} texts={texts} />
              ))}
            </SimpleGrid>
            {switchPorts.length > 0 && (
              <TableCard
                label="Switch ports"
                columns={['Switch', 'Port', 'Status', 'Link', { label: 'Speed', isNumber: true }]}
                minWidth={480}
              >
                {switchPorts.map(({ device, name, port }) => (
                  <Table.Tr key={`${device} ${name}`}>
                    <Table.Td ff="monospace">{device}</Table.Td>
                    <Table.Td ff="monospace">{name}</Table.Td>
                    <Table.Td>
                      <StateBadge state={port.ifAdminStatus === 'up' ? 'Enabled' : 'Disabled'} />
                    </Table.Td>
                    <Table.Td>
                      <StateBadge state={port.ifOperStatus === 'up' ? 'Up' : 'Down'} />
                    </Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {rateText(Number(port.ifSpeed))}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </TableCard>
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

function ComponentCard({ category, texts }: { category: string; texts: readonly string[] }): JSX.Element {
  return (
    <SectionCard title={category}>
      <Stack gap={4}>
        {groupIdentical(texts).map(({ text, count }) => (
          <Group key={text} gap="xs" wrap="nowrap" align="baseline">
            {count > 1 && (
              <Text size="sm" c="dimmed" className="numbers">
                {count}×
              </Text>
            )}
            <Text size="sm">{text}</Text>
          </Group>
        ))}
      </Stack>
    </SectionCard>
  );
}
