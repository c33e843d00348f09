// Signs a zone with DNSSEC and shows the DS records for its registrar.
import { ActionIcon, Alert, Card, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { HostyardError, type Dnssec, type Zone } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton, ConfirmDialog } from '../../parts/confirm-button.tsx';
import { QueryResult, ErrorAlert } from '../../parts/query-result.tsx';
import { errorText } from '../../parts/error-text.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

const rollbackPollMs = 5000;

export function ZoneDnssec({ zone }: { zone: Zone }): JSX.Element {
  const dnssec = useRead('dnssecGet', { domain: zone.domain_id });
  const { error } = dnssec;
  if (error instanceof HostyardError && error.code === 'capability_missing')
    return <State zone={zone} dnssec={{ status: 'off', ds: [] }} unsupportedReason={errorText(error).message} />;
  return <QueryResult query={dnssec}>{(current) => <State zone={zone} dnssec={current} />}</QueryResult>;
}

interface StateProps {
  readonly zone: Zone;
  readonly dnssec: Dnssec;
  /** Why the name server cannot sign zones. */
  readonly unsupportedReason?: string;
}

function State({ zone, dnssec, unsupportedReason }: StateProps): JSX.Element {
  const isOn = dnssec.status === 'on';
  const denial = useScopeDenial()('dns:write');
  const enable = useChange('dnssecEnable', {
    successMessage: t('Signing enabled for {name}', { name: zone.name }),
    invalidates: ['dnssecGet'],
  });
  const domain = zone.domain_id;
  return (
    <Card>
      <Stack>
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={600}>DNSSEC</Text>
            <StateBadge state={isOn ? 'Enabled' : 'Disabled'} />
          </Group>
          {isOn ? (
            <StopSigning zone={zone} denial={denial} />
          ) : (
            <ActionButton
              disabledReason={unsupportedReason ?? denial}
              loading={enable.isPending}
              icon="shield"
              onClick={() => enable.mutate({ domain })}
            >
              {t('Sign zone')}
            </ActionButton>
          )}
        </Group>
        {enable.isError && <ErrorAlert error={enable.error} />}
        <Dimmed>
          {unsupportedReason ??
            (isOn
              ? t('Add these DS records at your domain registrar. Validating resolvers then reject forged responses.')
              : t(
                  'The name server signs all records, so that resolvers can detect forged responses. You then add the DS records shown here at your domain registrar.',
                ))}
        </Dimmed>
        {dnssec.ds.map((ds) => (
          <DsRecord key={ds} text={`${zone.name}. IN DS ${ds}`} />
        ))}
        {dnssec.keys !== undefined && <KeyActions zone={zone} dnssec={dnssec} denial={denial} />}
        {isOn && dnssec.ds.length > 0 && (
          <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
            {t(
              'Before you stop signing the zone or move it to another provider, remove the DS records at your registrar.',
            )}
          </Alert>
        )}
      </Stack>
    </Card>
  );
}

interface StopSigningProps {
  readonly zone: Zone;
  readonly denial: string | undefined;
}

/** Why the API does not stop signing: there are DS records at the parent zone, or it cannot tell. */
const dsRefusals = new Set<string>(['state_conflict', 'nameserver_unreachable']);

/** If DS records are in the way, offers to stop signing anyway, in a second dialog that says what that breaks. */
function StopSigning({ zone: { domain_id: domain, name }, denial }: StopSigningProps): JSX.Element {
  const disable = useChange('dnssecDisable', {
    successMessage: t('Signing disabled for {name}', { name }),
    invalidates: ['dnssecGet'],
  });
  const [refusal, setRefusal] = useState<string>();
  const stop = async (): Promise<void> => {
    try {
      await disable.mutateAsync({ domain });
    } catch (error) {
      if (!(error instanceof HostyardError) || !dsRefusals.has(error.code)) throw error;
      // The dialog offers what the message recommends.
      setRefusal(error.message.split(' Use force ')[0]);
    }
  };
  return (
    <>
      <ConfirmButton
        variant="default"
        disabledReason={denial}
        question={t('Stop signing {name}?', { name })}
        consequence={t(
          'Remove the DS records at your registrar first and wait until their TTL has expired. Until then, validating resolvers fail to resolve this zone.',
        )}
        confirmText={name}
        confirmLabel={t('Stop signing')}
        onConfirm={stop}
      />
      <ConfirmDialog
        confirmation={
          refusal === undefined
            ? undefined
            : {
                question: t('Stop signing {name} anyway?', { name }),
                consequence: (
                  <Stack gap="sm">
                    <Alert
                      color="red"
                      variant="light"
                      icon={<Icon name="warning" />}
                      title={t('Signing was not stopped')}
                    >
                      {refusal}
                    </Alert>
                    <Text size="sm">
                      {t(
                        'While the parent zone has a DS record, validating resolvers accept only signed answers. Without signatures, the website, mail and everything else at {name} become unreachable for most people, until the DS record is removed and its TTL has expired, usually a day.',
                        { name },
                      )}
                    </Text>
                    <Text size="sm">
                      {t('Continue only if you know that there is no DS record, or the domain is unused.')}
                    </Text>
                  </Stack>
                ),
                confirmText: name,
                confirmLabel: t('Stop signing anyway'),
                onConfirm: () => disable.mutateAsync({ domain, force: true }),
              }
        }
        close={() => setRefusal(undefined)}
      />
    </>
  );
}

interface KeyActionsProps {
  readonly zone: Zone;
  readonly dnssec: Dnssec;
  readonly denial: string | undefined;
}

/** Replaces the key, or prepares the end of signing. */
function KeyActions({ zone, dnssec, denial }: KeyActionsProps): JSX.Element {
  const { domain_id: domain, name } = zone;
  const act = useChange('dnssecAct', {
    successMessage: t('DNSSEC of {name} updated', { name }),
    invalidates: ['dnssecGet'],
  });
  const enable = useChange('dnssecEnable', {
    successMessage: t('DS records of {name} kept', { name }),
    invalidates: ['dnssecGet'],
  });
  const isRollingBack = dnssec.rollover_direction === 'back';
  const isRollingOver = dnssec.rollover !== undefined && !isRollingBack;
  const isWaitingForDs = dnssec.keys?.some(({ state }) => state === 'retired') === true;
  const button = { variant: 'default', disabledReason: denial, loading: act.isPending || enable.isPending };
  return (
    <Stack>
      {isRollingBack && <RollbackNotice domain={domain} />}
      {isRollingOver && (
        <Alert variant="light" icon={<Icon name="shield" />} title={t('Key rollover in progress')}>
          {isWaitingForDs
            ? t(
                'The zone is signed with a new key. Replace the DS records at your registrar with those shown here. The old key is removed a few days after the registry has published them.',
              )
            : t(
                'The new key is being published. In about five hours, new DS records are shown here for your registrar.',
              )}
        </Alert>
      )}
      {dnssec.cds === 'delete' && (
        <Alert variant="light" icon={<Icon name="shield" />} title={t('Waiting for the DS records to be removed')}>
          {t(
            'The zone asks its registry to remove the DS records (CDS). If your registry does not support that, remove them at your registrar. You can stop signing once they are gone.',
          )}
        </Alert>
      )}
      {act.isError && <ErrorAlert error={act.error} />}
      {enable.isError && <ErrorAlert error={enable.error} />}
      <Group gap="sm">
        {isRollingOver && isWaitingForDs && (
          <ActionButton {...button} onClick={() => act.mutate({ domain, action: 'confirm' })}>
            {t('I have replaced the DS records')}
          </ActionButton>
        )}
        {isRollingOver && <CancelRollover zone={zone} isWaitingForDs={isWaitingForDs} denial={denial} />}
        {dnssec.rollover === undefined && dnssec.cds === 'publish' && (
          <>
            <ActionButton {...button} icon="refresh" onClick={() => act.mutate({ domain, action: 'rollover' })}>
              {t('Replace key')}
            </ActionButton>
            <ActionButton {...button} onClick={() => act.mutate({ domain, action: 'withdraw' })}>
              {t('Ask the registry to remove DS')}
            </ActionButton>
          </>
        )}
        {dnssec.cds === 'delete' && (
          <ActionButton {...button} onClick={() => enable.mutate({ domain })}>
            {t('Keep signing')}
          </ActionButton>
        )}
      </Group>
    </Stack>
  );
}

function RollbackNotice({ domain }: { domain: string }): JSX.Element {
  // The return to the old key, which changes the DS records, is no event.
  useRead('dnssecGet', { domain }, { refetchMs: rollbackPollMs });
  return (
    <Alert variant="light" icon={<Icon name="shield" />} title={t('Returning to the old key')}>
      {t(
        'The key rollover was cancelled or has failed. If you have already replaced the DS records at your registrar, replace them again with those shown here. The new key stays in the zone for a few days if resolvers may still need it; until then, no other rollover can begin.',
      )}
    </Alert>
  );
}

interface CancelRolloverProps {
  readonly zone: Zone;
  readonly isWaitingForDs: boolean;
  readonly denial: string | undefined;
}

/** Asks first: a rollover takes days, and the registrar may already have the new DS records. */
function CancelRollover({
  zone: { domain_id: domain, name },
  isWaitingForDs,
  denial,
}: CancelRolloverProps): JSX.Element {
  const cancel = useChange('dnssecAct', {
    successMessage: t('DNSSEC of {name} updated', { name }),
    invalidates: ['dnssecGet'],
  });
  return (
    <ConfirmButton
      variant="default"
      disabledReason={denial}
      question={t('Cancel the key rollover of {name}?', { name })}
      consequence={
        isWaitingForDs
          ? t(
              'The zone is signed with the old key again. If you have already replaced the DS records at your registrar, put the old ones back. A later rollover starts from the beginning.',
            )
          : t('The zone keeps its old key. A later rollover starts from the beginning.')
      }
      confirmLabel={t('Cancel rollover')}
      dismissLabel={t('Close')}
      onConfirm={() => cancel.mutateAsync({ domain, action: 'cancel' })}
    />
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
            aria-label={copied ? t('Copied') : t('Copy DS record')}
            title={copied ? t('Copied') : t('Copy')}
          >
            <Icon name={copied ? 'check' : 'copy'} size={16} />
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
