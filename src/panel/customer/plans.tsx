// Plans: what an assistant, or whoever acts for the customer, wants to do. Nothing of it is done before somebody has agreed here.
import { Card, SegmentedControl, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Awaited, Empty, Failed } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { ReadOn } from '../parts/read-on.tsx';
import { PlanCard } from './plans/plan-card.tsx';
import { isOpen } from './plans/plan-states.ts';

const choices = ['All', 'Waiting'] as const;
type Choice = (typeof choices)[number];

/** A plan ends by the clock, and is carried out by its maker: no event tells of either. */
const whileOpen = { everyMs: 5000, isMoving: isOpen };

export function PlansPage(): JSX.Element {
  const pages = usePages('planGet', {}, whileOpen);
  const [choice, setChoice] = useState<Choice>('All');
  const keyName = useKeyNames();
  const plans = pages.data?.pages.flat() ?? [];
  const waiting = plans.filter(({ status }) => status === 'Pending');
  const shown = choice === 'All' ? plans : waiting;
  return (
    <Page title="Plans" about="What assistants and other programs ask you before they do it.">
      {plans.length > 0 && (
        <SegmentedControl
          value={choice}
          onChange={setChoice}
          data={[
            { value: 'All', label: 'All' },
            { value: 'Waiting', label: `Waiting ${waiting.length}` },
          ]}
          aria-label="Which plans"
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      {pages.isError && <Failed error={pages.error} again={() => void pages.refetch()} />}
      {pages.isPending && <Awaited lines={6} />}
      {pages.data !== undefined && shown.length === 0 && <Nothing of={choice} />}
      {shown.length > 0 && (
        <Stack gap="sm">
          {shown.map((plan) => (
            <PlanCard key={plan.id} of={plan} keyName={keyName} />
          ))}
          <ReadOn of={pages} />
        </Stack>
      )}
    </Page>
  );
}

function Nothing({ of }: { of: Choice }): JSX.Element {
  return (
    <Card>
      {of === 'Waiting' ? (
        <Empty icon="plan" title="Nothing waits for you" />
      ) : (
        <Empty icon="plan" title="No plans yet">
          Give an assistant a key that may read and make plans (“plan:write”). What it wants to switch off, delete or
          reinstall then stands here, for you to approve or refuse.
        </Empty>
      )}
    </Card>
  );
}

/** Of a key that made or decided a plan: its name for who may see the keys, else its number. */
function useKeyNames(): (id: string) => string {
  const refusal = useRefusal();
  const keys = useRead('keyGet', {}, { enabled: refusal('account:keys') === undefined });
  return (id) => {
    const key = keys.data?.find((each) => each.id === id);
    return key === undefined ? `key ${id}` : `“${key.name}”`;
  };
}
