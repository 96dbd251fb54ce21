// node mock.mjs NPM SERVER SCRIPT: uses the official TypeScript clients in NPM with the program SERVER (linkspan-mock)
// and mock_servers/scripts/weather.json, over stdio and Streamable HTTP, in each era.

import { Checks, HttpServer, requirePackages } from './support.mjs';
import { CurrentSdk, FormerSdk } from './sdk.mjs';

const [npm, program, script] = process.argv.slice(2);
const current = '@modelcontextprotocol/client';
const former = '@modelcontextprotocol/sdk';
const require = requirePackages(npm, [current, former]);
const check = new Checks(60);
const sdks = { [current]: new CurrentSdk(require), [former]: new FormerSdk(require) };
const configurations = [
    { sdk: current, mode: 'legacy' },
    { sdk: current, mode: 'auto' },
    { sdk: former, mode: 'legacy' },
];

async function run({ sdk: name, mode }, carrier) {
    const sdk = sdks[name];
    const client = sdk.client(mode);
    const server = carrier === 'http' ? await HttpServer.start(program, ['--script', script]) : undefined;
    await client.connect(server ? sdk.http(server.url) : sdk.stdio(program, ['--script', script]));
    check.equal((await client.listTools()).tools.map((tool) => tool.name), ['forecast']);
    const call = (city) => client.callTool({ name: 'forecast', arguments: { city } });
    check.equal((await call('Oslo')).content, [{ type: 'text', text: 'still warming up' }]);
    check.equal((await call('Oslo')).content, [{ type: 'text', text: 'sunny in Oslo' }]);
    check.members(await call('Atlantis'), {
        isError: true, content: [{ type: 'text', text: 'Atlantis was not found' }] });
    await client.close();
    if (!server) return;
    server.child.kill('SIGTERM');
    check.equal(await server.exited, 0);
}

for (const carrier of ['stdio', 'http'])
    for (const each of configurations)
        await check.step(`${each.sdk}, ${each.mode}, ${carrier}`, () => run(each, carrier));
check.exit(27);
