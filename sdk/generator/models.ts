// SDK generator: records as types of a language, made by quicktype.
import { createRequire } from 'node:module';
import { loosened, type Schema } from './schemas.ts';

/** What is used of quicktype-core, a package of `tools/`: few need it. */
interface Quicktype {
  readonly FetchingJSONSchemaStore: new () => object;
  readonly JSONSchemaInput: new (
    store: object,
  ) => {
    addSource(source: { readonly name: string; readonly schema: string }): Promise<void>;
  };
  readonly InputData: new () => { addInput(input: object): void };
  quicktype(options: object): Promise<{ readonly lines: readonly string[] }>;
}

type LanguageName = 'python' | 'go' | 'rust';

/** Holds every record once, so that quicktype reads all of them together; it is cut out of what quicktype writes. */
const WHOLE = 'WholeDocument';

export async function modelsIn(
  lang: LanguageName,
  rendererOptions: Record<string, string>,
  records: Readonly<Record<string, Schema>>,
): Promise<string> {
  const { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype }: Quicktype = createRequire(
    new URL('../../tools/package.json', import.meta.url),
  )('quicktype-core');
  const definitions = Object.fromEntries(
    Object.entries(records).map(([name, record]) => [name, loosened(record, name)]),
  );
  const names = Object.keys(definitions);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const schema = JSON.stringify({ type: 'object', properties, required: names, definitions });
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  await input.addSource({ name: WHOLE, schema });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({ inputData, lang, rendererOptions, combineClasses: false, inferMaps: false });
  return `${lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(CUT[lang] ?? /$^/, '')
    .trim()}\n`;
}

const CUT: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  python: new RegExp(`@dataclass\\nclass ${WHOLE}:\\n(?:(?: .*)?\\n)*(?:    .*)?`),
  go: new RegExp(`type ${WHOLE} struct \\{\\n(?:\\t.*\\n)*\\}\\n`),
  rust: new RegExp(`#\\[derive[^\\n]*\\n(?:#\\[serde[^\\n]*\\n)?pub struct ${WHOLE} \\{\\n(?: .*\\n|\\n)*\\}\\n`),
};
