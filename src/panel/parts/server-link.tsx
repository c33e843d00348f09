// A link to a server's page.
import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';

export interface ServerLinkProps extends AnchorProps {
  readonly service: string;
  readonly children: ReactNode;
}

export function ServerLink({ service, children, ...props }: ServerLinkProps): JSX.Element {
  return (
    <Anchor {...props} renderRoot={(root) => <Link to="/servers/$service" params={{ service }} {...root} />}>
      {children}
    </Anchor>
  );
}
