// Plays a game through Sabaki's GTP client and prints what it received as JSON.
// drive.js SIZE MOVES PROGRAM ARGUMENT...

const {ControllerStateTracker} = require('@sabaki/gtp')

const [size, moves, program, ...words] = process.argv.slice(2)

async function main() {
  const tracker = ControllerStateTracker.fromController(program, words)
  const {controller} = tracker
  const ask = async (name, ...args) => {
    const {content, error} = await controller.sendCommand({name, args})
    return {content, error}
  }
  const seen = {name: await ask('name'), undo: await tracker.knowsCommand('undo')}

  await tracker.sync({komi: 0, boardsize: [+size, +size], history: []})
  seen.refused = []
  while (tracker.state.history.length < +moves) {
    for (const colour of ['B', 'W']) {
      const response = await ask('genmove', colour)
      if (response.error) seen.refused.push(response.content)
    }
  }
  seen.history = tracker.state.history.map(({args}) => args)
  seen.board = await ask('showboard')

  // Go back two moves with undo, then start again with other stones.
  await tracker.sync({history: tracker.state.history.slice(0, -2)})
  seen.undone = await ask('showboard')
  await tracker.sync({history: [{name: 'play', args: ['B', 'A1']}]})
  seen.replayed = await ask('showboard')
  seen.illegal = await ask('play', 'W', 'A1')
  const numbered = await controller.sendCommand({id: 42, name: 'protocol_version'})
  seen.numbered = numbered.id

  let analysis
  const isTold = new Promise(resolve => {
    analysis = controller.sendCommand({name: 'lz-analyze', args: ['W', '5']}, ({line}) => {
      if (line.startsWith('info')) resolve(line)
    })
  })
  seen.analysis = await isTold
  const afterwards = ask('name') // ends the analysis
  await analysis
  seen.afterwards = (await afterwards).content
  await controller.stop()
  console.log(JSON.stringify(seen))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
