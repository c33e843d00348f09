// Whether a zone is signed, and what its parent must know of it.
import { ActionIcon, Alert, Card, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { HostyardError, type Dnssec, type Zone } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Answer, Failed } from '../../parts/answer.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { Icon } from '../../shell/icons.tsx';

export function ZoneDnssec({ zone }: { zone: Zone }): JSX.Element {
  const dnssec = useRead('dnssecGet', { domain: zone.domain_id });
  const { error } = dnssec;
  if (error instanceof HostyardError && error.code === 'capability_missing')
    return <State zone={zone} dnssec={{ status: 'off', ds: [] }} missing={error.message} />;
  return <Answer of={dnssec}>{(found) => <State zone={zone} dnssec={found} />}</Answer>;
}

interface StateProps {
  readonly zone: Zone;
  readonly dnssec: Dnssec;
  /** What the name server lacks for it. */
  readonly missing?: string;
}

function State({ zone, dnssec, missing }: StateProps): JSX.Element {
  const isOn = dnssec.status === 'on';
  const refusal = useRefusal()('dns:write');
  const enable = useChange('dnssecEnable', { done: `${zone.name} is signed.`, changes: ['dnssecGet'] });
  const disable = useChange('dnssecDisable', { done: `${zone.name} is signed no more.`, changes: ['dnssecGet'] });
  const domain = zone.domain_id;
  return (
    <Card>
      <Stack>
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={600}>DNSSEC</Text>
            <StateBadge state={isOn ? 'on' : 'off'} />
          </Group>
          {isOn ? (
            <AskFirst
              variant="default"
              reason={refusal}
              question={`Stop signing ${zone.name}?`}
              consequence="Take the DS records out of the parent zone first, and wait until their time to live has passed: until then, whoever checks signatures finds no name of this zone."
              typed={zone.name}
              yes="Stop signing"
              act={() => disable.mutateAsync({ domain })}
            >
              Stop signing
            </AskFirst>
          ) : (
            <Act
              reason={missing ?? refusal}
              loading={enable.isPending}
              leftSection={<Icon name="shield" size={16} />}
              onClick={() => enable.mutate({ domain })}
            >
              Sign this zone
            </Act>
          )}
        </Group>
        {enable.isError && <Failed error={enable.error} />}
        <Text size="sm" c="dimmed">
          {missing ??
            (isOn
              ? 'Give these DS records to the registrar of the domain. From then on, answers that somebody tampered with are refused by whoever checks.'
              : 'The name server signs the records, so that nobody can tamper with them on their way. Afterwards you are given the DS records for the registrar of the domain.')}
        </Text>
        {dnssec.ds.map((ds) => (
          <DsRecord key={ds} text={`${zone.name}. IN DS ${ds}`} />
        ))}
        {isOn && dnssec.ds.length > 0 && (
          <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
            Before you stop signing, or move the zone elsewhere, take the DS records out again.
          </Alert>
        )}
      </Stack>
    </Card>
  );
}

function DsRecord({ text }: { text: string }): JSX.Element {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block className="wrap-anywhere" style={{ flex: 1, whiteSpace: 'pre-wrap' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="default"
            size="lg"
            onClick={copy}
            aria-label={copied ? 'Copied' : 'Copy the DS record'}
            title={copied ? 'Copied' : 'Copy'}
          >
            <Icon name={copied ? 'check' : 'copy'} size={16} />
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
