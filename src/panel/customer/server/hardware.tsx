// What a server is made of, as its controller and the provider say, and how it is plugged in.
import { Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { rateText } from '../../parts/amounts.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { PartCard } from './part-card.tsx';
import { counted } from './counted.ts';

export function HardwareTab({ service }: { service: string }): JSX.Element {
  const hardware = useRead('deviceHardwareGet', { service });
  return (
    <Answer of={hardware} lines={8}>
      {({ parts, ports }) => {
        const present = Object.entries(parts).filter(([, texts]) => texts.length > 0);
        const plugs = Object.entries(ports).flatMap(([device, own]) =>
          Object.entries(own).map(([name, port]) => ({ device, name, port })),
        );
        return (
          <Stack>
            {present.length === 0 && (
              <Empty icon="server" title="Nothing is on record">
                Neither the provider nor the server’s controller has described its parts.
              </Empty>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {present.map(([category, texts]) => (
                <Part key={category} category={category} texts={texts} />
              ))}
            </SimpleGrid>
            {plugs.length > 0 && (
              <TableCard
                label="Ports"
                columns={['Switch', 'Port', 'Enabled', 'Link', { label: 'Speed', isNumber: true }]}
                minWidth={480}
              >
                {plugs.map(({ device, name, port }) => (
                  <Table.Tr key={`${device} ${name}`}>
                    <Table.Td ff="monospace">{device}</Table.Td>
                    <Table.Td ff="monospace">{name}</Table.Td>
                    <Table.Td>
                      <StateBadge state={port.ifAdminStatus} />
                    </Table.Td>
                    <Table.Td>
                      <StateBadge state={port.ifOperStatus} />
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
    </Answer>
  );
}

function Part({ category, texts }: { category: string; texts: readonly string[] }): JSX.Element {
  return (
    <PartCard title={category}>
      <Stack gap={4}>
        {counted(texts).map(({ text, count }) => (
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
    </PartCard>
  );
}
