// Where the documentation explains what to do. Hostyard installs it as files, which a page cannot link to.
import { Code, Text } from '@mantine/core';
import type { JSX } from 'react';

export function Runbook({ page }: { page: string }): JSX.Element {
  return (
    <Text size="xs" c="dimmed" component="div">
      Runbook: <Code className="wrap-anywhere">docs/guides/alerts/{page}.md</Code>
    </Text>
  );
}
