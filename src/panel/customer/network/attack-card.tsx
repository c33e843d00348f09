// One attack: what it was in a line, and opened its course, its figures and what happened when.
import { Badge, Box, Card, Flex, Group, SimpleGrid, Stack, Text, Timeline, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, type JSX } from 'react';
import { packetsText, rateText } from '../../parts/amounts.ts';
import { Figure } from '../../parts/figure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { ServerLink } from '../../parts/server-link.tsx';
import { Icon } from '../../shell/icons.tsx';
import { AttackTimeline } from './attack-timeline.tsx';
import { durationText, type Attack } from './attack.ts';

export interface AttackCardProps {
  readonly attack: Attack;
  /** The name of the server under attack; undefined on its own page, where it need not be said. */
  readonly server?: string | undefined;
  readonly isOpen?: boolean;
}

export function AttackCard({ attack, server, isOpen: isOpenAtFirst = false }: AttackCardProps): JSX.Element {
  const [isOpen, { toggle }] = useDisclosure(isOpenAtFirst);
  const details = useId();
  const now = Math.floor(Date.now() / 1000);
  const isNullrouted = attack.nullroute !== undefined && attack.nullroute.until === undefined;
  return (
    <Card padding={0} component="article">
      <UnstyledButton p="md" onClick={toggle} aria-expanded={isOpen} aria-controls={details}>
        <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
          <Box miw={0}>
            <Group gap={8} style={{ rowGap: 4 }}>
              <Text fw={600} component="span">
                {attack.kind}
              </Text>
              <Text ff="monospace" size="sm" component="span" className="wrap-anywhere">
                {attack.address}
              </Text>
              {attack.end === undefined ? (
                <Badge color="red" tt="none">
                  Under way
                </Badge>
              ) : (
                <StateBadge state="Over" />
              )}
              {isNullrouted && <StateBadge state="Null-routed" />}
            </Group>
            <Text size="sm" c="dimmed" component="div">
              <Moment at={attack.start} /> · {durationText((attack.end ?? now) - attack.start)} · at most{' '}
              {rateText(attack.bits.value)}
              {attack.direction === 'outgoing' && ' going out'}
            </Text>
          </Box>
          <Text
            component="span"
            c="dimmed"
            style={{ transform: isOpen ? 'rotate(90deg)' : 'none', lineHeight: 0 }}
            mt={4}
          >
            <Icon name="forward" />
          </Text>
        </Group>
      </UnstyledButton>
      {/* Drawn only when it is opened: a list may have hundreds. */}
      <Box id={details} hidden={!isOpen} px="md" pb="md">
        {isOpen && <Details attack={attack} server={server} now={now} />}
      </Box>
    </Card>
  );
}

function Details({ attack, server, now }: { attack: Attack; server: string | undefined; now: number }): JSX.Element {
  return (
    <Stack gap="md">
      <Flex gap="lg" direction={{ base: 'column', md: 'row' }}>
        <Box flex={1} miw={0}>
          <AttackTimeline attack={attack} now={now} />
          {attack.points.length === 0 && (
            <Text size="xs" c="dimmed">
              What arrived minute by minute was not recorded.
            </Text>
          )}
        </Box>
        <Course attack={attack} />
      </Flex>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
        <Figure size="sm" name="Peak">
          {rateText(attack.bits.value)}
        </Figure>
        <Figure size="sm" name="Packets">
          {packetsText(attack.packets.value)}
        </Figure>
        <Figure size="sm" name="Protocols at the peak">
          {attack.protocols.length === 0
            ? '—'
            : attack.protocols.map(({ name, bits }) => `${name} ${rateText(bits)}`).join(', ')}
        </Figure>
        <Figure size="sm" name="Server">
          {server === undefined ? attack.device : <ServerLink service={attack.service}>{server}</ServerLink>}
        </Figure>
      </SimpleGrid>
    </Stack>
  );
}

/** What happened when, in the order of time. */
function Course({ attack }: { attack: Attack }): JSX.Element {
  const { bits, nullroute } = attack;
  const steps = [
    { title: 'Detected', at: attack.start },
    ...(bits.at === undefined ? [] : [{ title: `Peak of ${rateText(bits.value)}`, at: bits.at }]),
    ...(nullroute === undefined ? [] : [{ title: 'Null-routed', at: nullroute.from }]),
    ...(nullroute?.until === undefined ? [] : [{ title: 'Null-route lifted', at: nullroute.until }]),
    ...(attack.end === undefined ? [] : [{ title: 'Over', at: attack.end }]),
  ].toSorted((one, other) => one.at - other.at);
  return (
    <Timeline
      bulletSize={14}
      lineWidth={2}
      active={steps.length - 1}
      color={attack.end === undefined ? 'red' : 'gray'}
      w={{ base: '100%', md: 210 }}
      aria-label="Course of the attack"
    >
      {steps.map(({ title, at }) => (
        <Timeline.Item
          key={`${title} ${at}`}
          title={
            <Text size="sm" fw={600} component="span">
              {title}
            </Text>
          }
        >
          <Text size="xs" c="dimmed" component="div">
            <Moment at={at} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
