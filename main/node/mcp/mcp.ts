// Main, command line: `barograph mcp`: a server of the Model Context Protocol on stdin and stdout.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import manifest from '../../../package.json' with { type: 'json' };
import { messageOf } from '../../../shared/lib/result.ts';
import { type AppClient, connectToApp } from '../../host/app-client.ts';
import { oneLine, UsageError } from '../../host/command-line.ts';
import { inText } from '../verbs/app-output.ts';
import { marked, NOTICE } from './outside-text.ts';
import { TOOLS, type Tool } from './tools.ts';

export interface McpFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly allow?: string;
}

const ALLOWED = 'acknowledge';
/** The SDK reports a message that it cannot read with every schema that it does not meet. */
const LONGEST_LINE = 200;

/** Serves until its input ends. Each call finds the app, which need not run yet. @throws UsageError */
export function mcpVerb({ dataDir, profile, allow }: McpFlags): void {
  if (allow !== undefined && allow !== ALLOWED)
    throw new UsageError(`--allow ${allow}: it can only be ${ALLOWED}; without it the server changes nothing.`);
  const app = connectToApp(dataDir, profile ?? null);
  const tools = TOOLS.filter(({ writes = false }) => !writes || allow === ALLOWED);
  serveStdio(() => createServer(app, tools), {
    onerror: (error) => console.error(`barograph: ${oneLine(messageOf(error)).slice(0, LONGEST_LINE)}`),
  });
}

function createServer(app: AppClient, tools: readonly Tool[]): McpServer {
  const server = new McpServer(
    { name: 'barograph', title: 'Barograph', version: manifest.version },
    {
      instructions: `Barograph watches market-risk signals and notifies its user of High Risk. Its signals are estimates: state their confidence, and no advice as certain. ${NOTICE}`,
    },
  );
  for (const { name, title, description, input, writes = false, run } of tools)
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        annotations: {
          title,
          readOnlyHint: !writes,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      async (given) => {
        try {
          return textOf(marked(inText(await run(app, given))));
        } catch (error) {
          return { ...textOf(marked({ error: messageOf(error) })), isError: true };
        }
      },
    );
  return server;
}

/** The answer as JSON, from which no text gets out, below what it is. */
const textOf = (value: unknown) => ({
  content: [
    { type: 'text' as const, text: NOTICE },
    { type: 'text' as const, text: JSON.stringify(value) },
  ],
});
