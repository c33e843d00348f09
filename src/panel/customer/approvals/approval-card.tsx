// A planned change: its effect, targets, requester and decision.
import { Badge, Button, Card, Code, Collapse, Group, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX, ReactNode } from 'react';
import type { Plan } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

/**
 * Returns true while the plan is pending, and after approval until it is executed. The server enforces the same rule.
 */
export function canBeRejected({ status }: Plan): boolean {
  return status === 'Pending' || status === 'Approved';
}

export interface ApprovalCardProps {
  readonly plan: Plan;
  readonly keyName: (id: string) => string;
}

export function ApprovalCard({ plan, keyName }: ApprovalCardProps): JSX.Element {
  return (
    <Card component="section" aria-label={t('Change {id}', { id: plan.id })}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 320px' }}>
          <Group gap="xs">
            <Text fw={600}>{plan.summary}</Text>
            <StateBadge state={plan.status === 'Refused' ? 'Rejected' : plan.status} />
            {plan.destroys && canBeRejected(plan) && (
              <Badge color="red" variant="light" autoContrast>
                {t('Cannot be undone')}
              </Badge>
            )}
          </Group>
          <PlanTargets plan={plan} />
          <Text size="sm" c="dimmed" component="div" mt="xs">
            {rich('Requested by {program} {time}', {
              program: keyName(plan.key),
              time: <Timestamp at={plan.created} isRelative />,
            })}
            {' · '}
            <PlanOutcome plan={plan} keyName={keyName} />
          </Text>
        </div>
        <DecisionButtons plan={plan} />
      </Group>
      <ApiCall plan={plan} />
    </Card>
  );
}

function PlanTargets({ plan: { hits } }: { plan: Plan }): JSX.Element {
  return (
    <List size="sm" mt={4} spacing={2}>
      {hits.map((target) => (
        <List.Item key={target} className="wrap-anywhere">
          {target}
        </List.Item>
      ))}
    </List>
  );
}

/** Shows what became of the change, or when it expires. */
function PlanOutcome({ plan, keyName }: ApprovalCardProps): ReactNode {
  const decider = plan.decidedby === '' ? undefined : keyName(plan.decidedby);
  const { outcome } = plan;
  const expires = <Timestamp at={plan.expires} isRelative />;
  switch (plan.status) {
    case 'Pending':
      return rich('expires {expires}', { expires });
    case 'Approved':
      return decider === undefined
        ? rich('approved, expires {expires} unless executed', { expires })
        : rich('approved by {decider}, expires {expires} unless executed', { decider, expires });
    case 'Refused':
      return decider === undefined ? t('rejected') : t('rejected by {decider}', { decider });
    case 'Expired':
      return decider === undefined ? t('expired without a decision') : t('approved, but not executed in time');
    case 'Done':
      return decider === undefined ? t('approved and executed') : t('approved by {decider} and executed', { decider });
    case 'Failed':
      return decider === undefined
        ? t('approved, but execution failed: {outcome}', { outcome })
        : t('approved by {decider}, but execution failed: {outcome}', { decider, outcome });
  }
}

/** The exact API call, for people who want to check it. */
function ApiCall({ plan: { operation, params } }: { plan: Plan }): JSX.Element {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        ml={-8}
        style={{ alignSelf: 'flex-start' }}
        onClick={toggle}
        aria-expanded={isOpen}
      >
        {isOpen ? t('Hide API call') : t('Show API call')}
      </Button>
      <Collapse expanded={isOpen}>
        <Code block mt="xs" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {`${operation} ${JSON.stringify(params, undefined, 2)}`}
        </Code>
      </Collapse>
    </>
  );
}

function DecisionButtons({ plan }: { plan: Plan }): JSX.Element | null {
  const denial = useScopeDenial()('plan:approve');
  const invalidates = ['planGet'];
  const approve = useChange('planDecide', { successMessage: t('Change approved'), invalidates });
  const reject = useChange('planDecide', { successMessage: t('Change rejected'), invalidates });
  if (!canBeRejected(plan)) return null;
  const { id, summary, hits } = plan;
  return (
    <Group gap={6}>
      <ConfirmButton
        size="compact-sm"
        color={plan.destroys ? 'red' : 'brand'}
        disabledReason={denial ?? (plan.status === 'Approved' ? t('Already approved.') : undefined)}
        aria-label={t('Approve change {id}', { id })}
        question={t('Approve: {summary}?', { summary })}
        consequence={
          <>
            {t('Affects:')}
            <PlanTargets plan={plan} />
            <Text size="sm" mt="xs">
              {hits.length > 0 && `${t('Read the details carefully: names and texts may come from third parties.')} `}
              {t(
                'The program that requested the change can execute it once, within 15 minutes. You can reject it until then.',
              )}
            </Text>
          </>
        }
        confirmLabel={t('Approve')}
        onConfirm={() => approve.mutateAsync({ id, decision: 'approve' })}
      />
      <ActionButton
        isInRow
        disabledReason={denial}
        loading={reject.isPending}
        aria-label={t('Reject change {id}', { id })}
        onClick={() => reject.mutate({ id, decision: 'refuse' }, { onError: notifyError })}
      >
        {t('Reject')}
      </ActionButton>
    </Group>
  );
}
