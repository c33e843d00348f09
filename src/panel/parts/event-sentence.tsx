// The sentence of an event, linked to what it concerns.
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { EventSentence } from '#text/event-sentences.ts';
import { Dimmed } from './dimmed.tsx';
import type { PanelPage } from './event-pages.ts';

export interface EventSentenceTextProps {
  readonly described: EventSentence;
  /** Of what the event concerns. */
  readonly page: PanelPage | undefined;
  /** On the page of the server that the events concern. */
  readonly withoutSubject?: true;
}

export function EventSentenceText({ described, page, withoutSubject }: EventSentenceTextProps): JSX.Element {
  const { subject, text, origin } = described;
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
