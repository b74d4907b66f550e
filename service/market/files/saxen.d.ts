// Service, price files: types of the parser of XML, as far as it is used.
declare module 'saxen' {
  type Decode = (text: string) => string;
  interface Events {
    openTag: (name: string, attributes: () => Readonly<Record<string, string>>, decode: Decode) => void;
    closeTag: (name: string) => void;
    text: (text: string, decode: Decode) => void;
    error: (error: Error) => void;
  }
  export class Parser {
    on<Name extends keyof Events>(name: Name, handler: Events[Name]): this;
    parse(xml: string): void;
  }
}
