// One attack: a summary line that expands to its timeline, figures and history.
import { Badge, Box, Card, Flex, Group, SimpleGrid, Stack, Text, Timeline, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, type JSX } from 'react';
import { Dimmed } from '../../parts/dimmed.tsx';
import { packetsText, rateText } from '../../parts/traffic-units.ts';
import { Figure } from '../../parts/figure.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { ServerLink } from '../../parts/server-link.tsx';
import { Icon } from '../../shell/icons.tsx';
import { AttackTimeline } from './attack-timeline.tsx';
import { durationText, type Attack } from './attack.ts';
import { t } from '../../text/text.ts';

export interface AttackCardProps {
  readonly attack: Attack;
  /** Name of the attacked server; undefined on the server's own page. */
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
              {attack.end === undefined ? <Badge color="red">{t('Ongoing')}</Badge> : <StateBadge state="Ended" />}
              {isNullrouted && <StateBadge state="Null-routed" />}
            </Group>
            <Text size="sm" c="dimmed" component="div">
              <Timestamp at={attack.start} /> · {durationText((attack.end ?? now) - attack.start)} ·{' '}
              {attack.direction === 'outgoing'
                ? t('Peak {rate} outgoing', { rate: rateText(attack.bits.value) })
                : t('Peak {rate}', { rate: rateText(attack.bits.value) })}
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
      {/* Rendered only when expanded: a list may have hundreds of attacks. */}
      <Box id={details} hidden={!isOpen} px="md" pb="md">
        {isOpen && <AttackDetails attack={attack} server={server} now={now} />}
      </Box>
    </Card>
  );
}

function AttackDetails({
  attack,
  server,
  now,
}: {
  attack: Attack;
  server: string | undefined;
  now: number;
}): JSX.Element {
  return (
    <Stack gap="md">
      <Flex gap="lg" direction={{ base: 'column', md: 'row' }}>
        <Box flex={1} miw={0}>
          <AttackTimeline attack={attack} now={now} />
          {attack.points.length === 0 && <Dimmed size="xs">{t('No per-minute traffic was recorded.')}</Dimmed>}
        </Box>
        <AttackHistory attack={attack} />
      </Flex>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
        <Figure size="sm" name={t('Peak')}>
          {rateText(attack.bits.value)}
        </Figure>
        <Figure size="sm" name={t('Packets')}>
          {packetsText(attack.packets.value)}
        </Figure>
        <Figure size="sm" name={t('Protocols at peak')}>
          {attack.protocols.length === 0
            ? '—'
            : attack.protocols.map(({ name, bits }) => `${name} ${rateText(bits)}`).join(', ')}
        </Figure>
        <Figure size="sm" name={t('Server')}>
          {server === undefined ? attack.device : <ServerLink service={attack.service}>{server}</ServerLink>}
        </Figure>
      </SimpleGrid>
    </Stack>
  );
}

/** What happened when, in chronological order. */
function AttackHistory({ attack }: { attack: Attack }): JSX.Element {
  const { bits, nullroute } = attack;
  const steps = [
    { title: t('Detected'), at: attack.start },
    ...(bits.at === undefined ? [] : [{ title: t('Peak {rate}', { rate: rateText(bits.value) }), at: bits.at }]),
    ...(nullroute === undefined ? [] : [{ title: t('Null-routed'), at: nullroute.from }]),
    ...(nullroute?.until === undefined ? [] : [{ title: t('Null route removed'), at: nullroute.until }]),
    ...(attack.end === undefined ? [] : [{ title: t('Ended'), at: attack.end }]),
  ].toSorted((left, right) => left.at - right.at);
  return (
    <Timeline
      bulletSize={14}
      lineWidth={2}
      active={steps.length - 1}
      color={attack.end === undefined ? 'red' : 'gray'}
      w={{ base: '100%', md: 210 }}
      aria-label={t('Attack history')}
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
            <Timestamp at={at} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
