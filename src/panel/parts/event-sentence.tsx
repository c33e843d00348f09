// The sentence of an event, linked to what it concerns.
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';
import type { EventSentence, PanelPage } from './event-sentences.ts';

export interface EventSentenceTextProps {
  readonly described: EventSentence;
  /** On the page of the server that the events concern. */
  readonly withoutSubject?: true;
}

export function EventSentenceText({ described, withoutSubject }: EventSentenceTextProps): JSX.Element {
  const { subject, text, page, origin } = described;
  if (withoutSubject === true) return <>{text}</>;
  return (
    <>
      {subject === undefined ? (
        <LinkTo page={page}>{text}</LinkTo>
      ) : (
        <>
          <LinkTo page={page}>
            <Text span inherit fw={600}>
              {subject}
            </Text>
          </LinkTo>
          : {text}
        </>
      )}
      {origin !== undefined && <Dimmed size="xs">{origin}</Dimmed>}
    </>
  );
}

function LinkTo({ page, children }: { page: PanelPage | undefined; children: ReactNode }): JSX.Element {
  if (page === undefined) return <>{children}</>;
  return (
    <Anchor inherit renderRoot={(props) => <Link to={page.to} hash={page.hash ?? ''} {...props} />}>
      {children}
    </Anchor>
  );
}
