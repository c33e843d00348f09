// A message as mail programs show it, in a frame that runs no scripts and loads nothing.
import { Text } from '@mantine/core';
import type { JSX } from 'react';

export function MailFrame({ subject, html }: { subject: string; html: string }): JSX.Element {
  return (
    <div>
      <Text fw={600} mb="xs" className="wrap-anywhere">
        {subject}
      </Text>
      <iframe
        title={subject}
        sandbox=""
        srcDoc={html}
        style={{
          width: '100%',
          height: '70vh',
          borderWidth: 1,
          borderStyle: 'solid',
          borderColor: 'var(--mantine-color-default-border)',
        }}
      />
    </div>
  );
}
