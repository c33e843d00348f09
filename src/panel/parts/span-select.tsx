// Chooses the time range of a graph, and leads back from a part of it.
import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState, type JSX, type ReactNode } from 'react';
import { t } from '../text/text.ts';
import { fromLocalInput, toLocalInput } from './dates.ts';
import { spanLabels, spanNames, spanProblem, type SpanChoice, type SpanName, type TimeSpan } from './traffic-span.ts';

/** The children are beside the choice. */
export function SpanSelect({ choice, children }: { choice: SpanChoice; children: ReactNode }): JSX.Element {
  const { name, span, choose, set } = choice;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('Time range')}
          data={spanNames.map((value) => ({ value, label: spanLabels[value] }))}
          value={name}
          onChange={(next) => choose(next as SpanName)}
        />
        {children}
      </Group>
      {name === 'Custom' && <CustomSpan span={span} set={set} />}
    </>
  );
}

function CustomSpan({ span, set }: { span: TimeSpan; set: (span: TimeSpan) => void }): JSX.Element {
  const [from, setFrom] = useState(toLocalInput(span.start));
  const [until, setUntil] = useState(toLocalInput(span.end));
  const [start, end] = [fromLocalInput(from), fromLocalInput(until)];
  const problem = spanProblem(start, end);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) set({ start: start!, end: end! });
      }}
    >
      <Group align="flex-start" gap="xs">
        <TextInput
          size="xs"
          type="datetime-local"
          label={t('From')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          type="datetime-local"
          label={t('Until')}
          value={until}
          error={problem}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Button size="xs" mt={22} type="submit" variant="light">
          {t('Show')}
        </Button>
      </Group>
    </form>
  );
}

export function ZoomHint({ isZoomed, reset }: { isZoomed: boolean; reset: () => void }): JSX.Element {
  return isZoomed ? (
    <Button size="compact-xs" variant="light" onClick={reset}>
      {t('Reset zoom')}
    </Button>
  ) : (
    <Text size="xs" c="dimmed" visibleFrom="sm">
      {t('Drag over the graph to zoom')}
    </Text>
  );
}
