// SDK generator: records as types of a language, made by quicktype.
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, type LanguageName, quicktype } from 'quicktype-core';
import { loosened, type Schema } from './schemas.ts';

/** Holds every record once, so that quicktype reads all of them together; it is cut out of what quicktype writes. */
const WHOLE = 'WholeDocument';

export async function modelsIn(
  lang: LanguageName,
  rendererOptions: Record<string, string>,
  records: Readonly<Record<string, Schema>>,
): Promise<string> {
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
