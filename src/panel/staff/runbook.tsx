// A runbook: what an alert means and what to do. The pages are those of docs/guides/alerts, built into the panel.
import { Card, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { t } from '../text/text.ts';
import { MarkdownView } from './runbook/markdown-view.tsx';
import { parseMarkdown, type Block } from './runbook/markdown.ts';

const sources = import.meta.glob<string>('../../../docs/guides/alerts/*.md', { query: '?raw', import: 'default' });
const overview = 'README';

export function RunbookPage(): JSX.Element {
  const { page = overview } = useParams({ strict: false }) as { page?: string };
  const load = sources[`../../../docs/guides/alerts/${page}.md`];
  const runbook = useQuery({
    queryKey: ['runbook', page],
    queryFn: async () => parseMarkdown(await load!()),
    enabled: load !== undefined,
    staleTime: Infinity,
  });
  const [heading] = runbook.data ?? [];
  const title = heading?.kind === 'heading' && page !== overview ? titleText(heading) : t('Runbooks');
  return (
    <Page title={title} {...(page !== overview && { breadcrumbs: [{ label: t('Runbooks'), to: '/staff/runbook' }] })}>
      {load === undefined ? (
        <EmptyCard icon="audit" title={t('No runbook has this name')} />
      ) : (
        <QueryResult query={runbook} lines={12}>
          {(blocks) => (
            <Card>
              <Stack gap="sm" maw={860} className="wrap-anywhere">
                <MarkdownView blocks={blocks.slice(1)} />
              </Stack>
            </Card>
          )}
        </QueryResult>
      )}
    </Page>
  );
}

function titleText({ content }: Extract<Block, { kind: 'heading' }>): string {
  return content.map(({ text }) => text).join('');
}
