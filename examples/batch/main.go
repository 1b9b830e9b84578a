// Command batch renders CustomData for documents through one process of aks-node-controller that stays open:
//
//	go run ./examples/batch aks-node-controller NODE.json...
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
)

type request struct {
	ID       string          `json:"id"`
	Document json.RawMessage `json:"document"`
	Route    string          `json:"route,omitempty"`
}

type answer struct {
	ID         string `json:"id"`
	CustomData string `json:"customData"`
	CSE        string `json:"cse"`
	Error      *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func main() {
	renderer := exec.Command(os.Args[1], "generate", "--batch", "-")
	renderer.Stderr = os.Stderr
	stdin, _ := renderer.StdinPipe()
	stdout, _ := renderer.StdoutPipe()
	if err := renderer.Start(); err != nil {
		log.Fatal(err)
	}
	requests, answers := json.NewEncoder(stdin), json.NewDecoder(bufio.NewReader(stdout))
	for _, file := range os.Args[2:] {
		document, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		// Encode writes one line: it removes the line feeds of the document.
		if err := requests.Encode(request{ID: file, Document: document, Route: "scriptless"}); err != nil {
			log.Fatal(err)
		}
		var got answer
		if err := answers.Decode(&got); err != nil {
			log.Fatal(err)
		}
		if got.Error != nil {
			fmt.Printf("%s: %s\n", got.ID, got.Error.Message)
			continue
		}
		fmt.Printf("%s: %d characters of CustomData, command %q\n", got.ID, len(got.CustomData), got.CSE)
	}
	stdin.Close()
	if err := renderer.Wait(); err != nil {
		os.Exit(1)
	}
}
