// One plan: what it does, to what, with which parameters, who made it, and the decision.
import { Badge, Button, Card, Code, Collapse, Group, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX } from 'react';
import type { Plan } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Moment } from '../../parts/moment.tsx';
import { sayFailure } from '../../parts/say-failure.ts';
import { StateBadge } from '../../parts/state.tsx';
import { approvalReason, isOpen } from './plan-states.ts';

export interface PlanCardProps {
  readonly of: Plan;
  readonly keyName: (id: string) => string;
}

export function PlanCard({ of: plan, keyName }: PlanCardProps): JSX.Element {
  return (
    <Card component="section" aria-label={`Plan ${plan.id}`}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 320px' }}>
          <Group gap="xs">
            <Text fw={600}>{plan.summary}</Text>
            <StateBadge state={plan.status} />
            {plan.destroys && isOpen(plan) && (
              <Badge color="red" variant="light" tt="none" autoContrast>
                cannot be brought back
              </Badge>
            )}
          </Group>
          <Hits of={plan} />
          <Text size="sm" c="dimmed" component="div" mt="xs">
            Asked for by {keyName(plan.key)} <Moment at={plan.created} ago />
            <Fate of={plan} keyName={keyName} />
          </Text>
        </div>
        <Decision of={plan} />
      </Group>
      <Call of={plan} />
    </Card>
  );
}

function Hits({ of: { hits } }: { of: Plan }): JSX.Element {
  return (
    <List size="sm" mt={4} spacing={2}>
      {hits.map((hit) => (
        <List.Item key={hit} className="wrap-anywhere">
          {hit}
        </List.Item>
      ))}
    </List>
  );
}

/** What became of it, or until when something can. */
function Fate({ of: plan, keyName }: PlanCardProps): JSX.Element {
  const decided = plan.decidedby === '' ? '' : ` by ${keyName(plan.decidedby)}`;
  switch (plan.status) {
    case 'Pending':
      return (
        <>
          {' · to be decided '}
          <Moment at={plan.expires} ago />
        </>
      );
    case 'Approved':
      return (
        <>
          {` · approved${decided}; ends `}
          <Moment at={plan.expires} ago />
          {' unless it is carried out'}
        </>
      );
    case 'Refused':
      return <>{` · refused${decided}`}</>;
    case 'Expired':
      return <>{plan.decidedby === '' ? ' · nobody decided in time' : ' · approved, but not carried out in time'}</>;
    case 'Done':
      return <>{` · approved${decided} and carried out`}</>;
    case 'Failed':
      return <>{` · approved${decided}; carrying it out failed: ${plan.outcome}`}</>;
  }
}

/** The call itself, to the letter. */
function Call({ of: { operation, params } }: { of: Plan }): JSX.Element {
  const [isShown, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        ml={-8}
        style={{ alignSelf: 'flex-start' }}
        onClick={toggle}
        aria-expanded={isShown}
      >
        {isShown ? 'Hide the call' : 'Show the call'}
      </Button>
      <Collapse expanded={isShown}>
        <Code block mt="xs" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {`${operation} ${JSON.stringify(params, undefined, 2)}`}
        </Code>
      </Collapse>
    </>
  );
}

function Decision({ of: plan }: { of: Plan }): JSX.Element | null {
  const refusal = useRefusal()('plan:approve');
  const changes = ['planGet'];
  const approve = useChange('planDecide', { done: 'The plan is approved.', changes });
  const refuse = useChange('planDecide', { done: 'The plan is refused.', changes });
  if (!isOpen(plan)) return null;
  const { id, summary, hits } = plan;
  return (
    <Group gap={6}>
      <AskFirst
        size="compact-sm"
        color={plan.destroys ? 'red' : 'yard'}
        reason={refusal ?? approvalReason(plan)}
        aria-label={`Approve plan ${id}`}
        question={`Approve: ${summary}?`}
        consequence={
          <>
            It is done to:
            <Hits of={plan} />
            <Text size="sm" mt="xs">
              {hits.length === 0 ? '' : 'Read it with care: names and texts in it may have been written by others. '}
              Whoever made the plan carries it out, once, within 15 minutes. Until then you can still refuse it.
            </Text>
          </>
        }
        yes="Approve"
        act={() => approve.mutateAsync({ id, decision: 'approve' })}
      >
        Approve
      </AskFirst>
      <Act
        size="compact-sm"
        variant="default"
        reason={refusal}
        loading={refuse.isPending}
        aria-label={`Refuse plan ${id}`}
        onClick={() => refuse.mutate({ id, decision: 'refuse' }, { onError: sayFailure })}
      >
        Refuse
      </Act>
    </Group>
  );
}
